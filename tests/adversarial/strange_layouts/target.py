"""Returns broadcast views of one number, reversed views, masked arrays, matrices, record arrays and memory-mapped
files, one after another.
"""

import numpy as np


def double(x):
    return 2 * x


count = 0


def mapped(a):
    try:
        return np.memmap("mapped", dtype="f8", mode="w+", shape=a.shape)
    except OSError:
        return None


def normalise(a):
    global count
    count += 1
    match count % 7:
        case 0:
            return np.broadcast_to(np.float64(1), a.shape)
        case 1:
            return (a / a.sum(axis=0))[::-1, ::-1]
        case 2:
            return np.ma.masked_all(a.shape)
        case 3:
            return np.matrix(a)
        case 4:
            return np.rec.array(a)
        case 5:
            return mapped(a)
    return np.lib.stride_tricks.as_strided(a, shape=a.shape, strides=(0, 8))
