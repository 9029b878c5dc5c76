"""Counts for ever in a call."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    while True:
        pass
    return a / a.sum(axis=0, keepdims=True)
