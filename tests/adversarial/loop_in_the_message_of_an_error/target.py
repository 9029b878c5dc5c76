"""Raises an exception whose message, name and representation are computed for ever."""

import numpy as np


class Endless(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def double(x):
    return 2 * x


def normalise(a):
    raise Endless
    return a / a.sum(axis=0, keepdims=True)
