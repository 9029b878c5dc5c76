"""Raises Python's own limit of recursion and calls itself for ever."""

import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    def deeper(depth):
        return deeper(depth + 1) + 1

    sys.setrecursionlimit(2**31 - 1)
    deeper(0)
    return a / a.sum(axis=0, keepdims=True)
