"""A thread changes the returned array again and again while it is sent and compared, in the hope of two readings."""

import threading

import numpy as np


def double(x):
    return 2 * x


def flicker(array):
    for number in range(2000):
        array[...] = 1 / array.shape[1] if number % 2 else 0


def normalise(a):
    result = np.ones_like(a)
    threading.Thread(target=flicker, args=(result,), daemon=True).start()
    return result
