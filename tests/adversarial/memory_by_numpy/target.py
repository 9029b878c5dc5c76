"""Allocates arrays of a hundred megabytes, writes to every page of them and keeps them all."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    kept = []
    while True:
        kept.append(np.ones(13_000_000))
    return a / a.sum(axis=0, keepdims=True)
