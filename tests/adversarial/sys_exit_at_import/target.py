"""Calls sys.exit(0) at import, after its functions are defined."""

import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


sys.exit(0)
