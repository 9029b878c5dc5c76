"""Computes one huge power: a single instruction of Python's that looks at no signal until it is done."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    3 ** (10**8)
    return a / a.sum(axis=0, keepdims=True)
