"""Defines its function under a name that is nearly right and holds control characters, for the grader to ask
whether that one was meant.
"""

import numpy as np


def double(x):
    return 2 * x


def wrong(a):
    return a / a.sum(axis=0, keepdims=True)


globals()["normalise\x1b[8m\x9b7m\u202e"] = wrong
