"""Multiplies huge matrices, a single step of compiled code that no signal handler of Python's can interrupt."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    big = np.ones((2000, 2000))
    for _ in range(1000):
        big = big @ big
    return a / a.sum(axis=0, keepdims=True)
