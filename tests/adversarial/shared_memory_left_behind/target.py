"""Writes to shared memory, temporary folders and a folder outside that anyone may write to, by Python's own helpers
too.
"""

import os
import tempfile

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for folder in ("{{home}}", "/dev/shm", "/tmp", "/var/tmp", "/run/lock", "/run/user/0", "/var/crash"):
        try:
            with open(os.path.join(folder, "marker" if folder == "{{home}}" else "{{tag}}"), "w") as file:
                file.write("left behind")
            print("written:", folder)
        except OSError as error:
            print(folder, error.strerror)
    try:
        from multiprocessing import shared_memory

        shared_memory.SharedMemory("{{tag}}", create=True, size=4096)
        print("written: shared memory")
    except (OSError, ImportError) as error:
        print("shared memory:", error)
    return a / a.sum(axis=0, keepdims=True)
