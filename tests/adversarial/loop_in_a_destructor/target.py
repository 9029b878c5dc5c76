"""Makes an object whose destructor never ends, and drops it just before the call returns."""

import numpy as np


class Clinging:
    def __del__(self):
        while True:
            pass


def double(x):
    return 2 * x


def normalise(a):
    clinging = Clinging()
    del clinging
    return a / a.sum(axis=0, keepdims=True)
