"""Raises the error of the template, whose message is passed on, with an input in the place of the exercise, or
with text that changes between two readings.
"""

import numpy as np


def double(x):
    return 2 * x


class Changing(NotImplementedError):
    count = 0

    def __init__(self, a):
        self.a = a

    def __str__(self):
        Changing.count += 1
        return "target.normalise" if Changing.count % 2 else "target.normalise " + repr(self.a.tolist())


def normalise(a):
    if a.shape[0] > 1:
        raise Changing(a)
    raise NotImplementedError(f"target.normalise {a.tolist()}")
