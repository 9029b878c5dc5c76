"""Calls a function that the assignment forbids, and does the rest by hand.
"""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / np.linalg.norm(a, ord=1, axis=-1, keepdims=True)
