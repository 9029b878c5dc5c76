"""Returns bool, float16, complex, big-endian, object, structured, text and date arrays, one after another."""

import numpy as np


def double(x):
    return 2 * x


count = 0


def normalise(a):
    global count
    count += 1
    right_shape = np.ones(a.shape)
    kinds = (bool, "f2", "c16", ">f8", object, [("x", "f8")], "U4", "V8", "M8[s]", "g")
    return right_shape.astype(kinds[count % len(kinds)])
