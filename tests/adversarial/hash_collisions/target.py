"""Fills a dict with integers that share one hash, so that each insertion walks past all before it."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    table = {}
    for number in range(200_000):
        table[number * (2**61 - 1)] = None
    return a / a.sum(axis=0, keepdims=True)
