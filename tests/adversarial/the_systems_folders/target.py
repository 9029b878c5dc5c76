"""Lists the folders that tell of a machine, and reads the files that every user may read."""

import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for folder in (
        "/",
        "/etc",
        "/home",
        "/root",
        "/tmp",
        "/var",
        "/run",
        "/sys",
        "/sys/class/net",
        "/proc",
        "/proc/sys",
        "/dev",
        "/boot",
        "/opt",
        "/srv",
        "/mnt",
        "{{course}}",
        "{{class}}",
        "{{out}}",
    ):
        try:
            found = os.listdir(folder)
        except OSError as error:
            print(folder, error.strerror)
        else:
            # Where a worker has a home of its own, that is all there is in the folder of homes.
            print("BREACH" if set(found) - {"student"} else "nothing in", folder, len(found))
    for file in (
        "/etc/passwd",
        "/etc/hostname",
        "/etc/machine-id",
        "/proc/kallsyms",
        "/proc/cpuinfo",
        "/proc/net/tcp",
        "/proc/mounts",
        "/sys/kernel/notes",
    ):
        try:
            with open(file, "rb") as stream:
                print("BREACH", file, len(stream.read(4096)))
        except OSError as error:
            print(file, error.strerror)
    return a / a.sum(axis=0, keepdims=True)
