"""Resizes its inputs in place, sets their dtype and shape to others and makes them read-only, before it answers."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    result = a / a.sum(axis=0, keepdims=True)
    try:
        a.shape = (-1,)
        a.dtype = "c16" if a.size % 2 == 0 else "i8"
        a.flags.writeable = False
        a.resize((1000, 1000), refcheck=False)
    except (ValueError, AttributeError) as error:
        print(error)
    return result
