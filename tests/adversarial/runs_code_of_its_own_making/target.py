"""Copies a shared library to its folder and loads it from there, and maps a file of its own as code."""

import _ctypes
import ctypes
import mmap
import os
import shutil

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for folder in (".", "/tmp", "/dev/shm", "{{home}}"):
        path = os.path.join(folder, "{{tag}}.so")
        try:
            shutil.copyfile(_ctypes.__file__, path)
            with open(path, "r+b") as file:
                mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)
            print("BREACH mapped", folder)
            ctypes.CDLL(os.path.abspath(path))
            print("BREACH loaded", folder)
        except (OSError, AttributeError) as error:
            print(folder, error)
        try:
            os.remove(path)
        except OSError:
            pass
    return a / a.sum(axis=0, keepdims=True)
