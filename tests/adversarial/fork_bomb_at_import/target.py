"""Forks at import, before any call is made, through the C library and not through Python, so that no check of Python's
is in the way.
"""

import ctypes

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


C = ctypes.CDLL(None, use_errno=True)
for way in ("fork", "vfork"):
    child = getattr(C, way)()
    if child == 0:
        C._exit(0)
    print(f"{way}: refused" if child < 0 else f"BREACH {way}")
