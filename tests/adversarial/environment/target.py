"""Prints every environment variable, as Python keeps them and as the C library does."""

import ctypes
import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


print(dict(os.environ), os.environb)
try:
    libc = ctypes.CDLL(None)
    entries = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    count = 0
    while entries and entries[count] and count < 1000:
        print(entries[count])
        count += 1
    libc.getenv.restype = ctypes.c_char_p
    print(libc.getenv(b"ROWWISE_PLANTED"))
except (OSError, ValueError) as error:
    print(error)
