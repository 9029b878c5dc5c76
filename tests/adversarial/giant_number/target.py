"""Returns an integer of a million digits, which takes a second or more to write out in decimal."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return 10**1_000_000
