"""Allows itself core files and crashes, so that an image of its memory would lie on the disk of the grader."""

import ctypes
import glob
import resource

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for limit in ((-1, -1), (1 << 30, 1 << 30)):
        try:
            resource.setrlimit(resource.RLIMIT_CORE, limit)
            print("BREACH core files allowed")
        except (OSError, ValueError) as error:
            print(error)
    ctypes.string_at(0)
    return a / a.sum(axis=0, keepdims=True)


for place in ("core*", "/tmp/core*", "/var/crash/*", "/cores/*"):
    print("BREACH" if glob.glob(place) else "no core file:", place)
