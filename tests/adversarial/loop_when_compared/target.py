"""Returns an array of its own class that loops for ever when it is compared, measured, converted or printed."""

import numpy as np


class Endless(np.ndarray):
    def _loop(self, *_, **__):
        while True:
            pass

    __eq__ = __ne__ = __lt__ = __len__ = __iter__ = __repr__ = __array_ufunc__ = __array_function__ = _loop
    __hash__ = None


def double(x):
    return 2 * x


def normalise(a):
    return (a / a.sum(axis=0, keepdims=True)).view(Endless)
