"""Returns lists within lists, so deep that whoever walks them recursively overflows, and a list that holds itself."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    nested = []
    for _ in range(100_000):
        nested = [nested]
    nested.append(nested)
    return nested
