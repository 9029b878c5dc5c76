"""Counts for ever while it is imported, so that no function can be called at all."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


while True:
    pass
