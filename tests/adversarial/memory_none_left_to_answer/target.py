"""Fills its memory to the last byte, keeps it in a global, and then returns: the worker has to answer with nothing
left.
"""

import numpy as np


def double(x):
    KEPT.clear()
    return 2 * x


def normalise(a):
    for size in (1 << 20, 1 << 14, 1 << 8, 1):
        try:
            while True:
                KEPT.append(bytearray(size))
        except MemoryError:
            pass
    return a / a.sum(axis=0, keepdims=True)


KEPT = []
