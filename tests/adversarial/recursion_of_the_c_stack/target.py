"""Recurses through C functions, so that the stack of the process overflows and not a counter of Python's."""

import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    class Endless:
        def __getattr__(self, name):
            return getattr(self, name + "x")

    sys.setrecursionlimit(2**31 - 1)
    str(map(Endless().start, [1]))
    return a / a.sum(axis=0, keepdims=True)
