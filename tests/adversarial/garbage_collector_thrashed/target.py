"""Lets the collector run at each allocation over hundreds of thousands of cycles, and leaves it that way for the
worker's own code.
"""

import gc

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    gc.unfreeze()
    for _ in range(300_000):
        cycle = []
        cycle.append(cycle)
        KEPT.append(cycle)
    gc.set_threshold(1, 1, 1)
    return a / a.sum(axis=0, keepdims=True)


KEPT = []
