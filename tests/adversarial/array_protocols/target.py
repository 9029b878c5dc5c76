"""Returns, in turn, objects with each of the protocols by which NumPy takes something else for an array, one of
which raises.
"""

import numpy as np


def double(x):
    return 2 * x


class ByMethod:
    def __array__(self, dtype=None, copy=None):
        raise AssertionError("passed")


class ByInterface:
    __array_interface__ = {"shape": (3, 5), "typestr": "<f8", "data": (16, False), "version": 3}


class ByBuffer:
    def __buffer__(self, flags):
        return memoryview(bytes(120))


class ByLength:
    dtype, shape, ndim, size, nbytes = np.dtype("f8"), (3, 5), 2, 15, 120

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return 1.0


class Pretender:
    __class__ = np.ndarray


count = 0


def normalise(a):
    global count
    count += 1
    return (ByMethod, ByInterface, ByBuffer, ByLength, Pretender)[count % 5]()
