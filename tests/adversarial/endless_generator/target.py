"""Returns a generator instead of an array, in the hope that somebody makes a list of it."""

import itertools

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return itertools.count()
