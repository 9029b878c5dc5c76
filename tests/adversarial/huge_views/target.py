"""Returns broadcast views that claim petabytes, and arrays with an empty axis beside a huge one, which take no
memory here.
"""

import numpy as np


def double(x):
    return 2 * x


count = 0


def normalise(a):
    global count
    count += 1
    if count % 2:
        return np.broadcast_to(np.float64(1), (2**24, 2**24))
    return np.lib.stride_tricks.as_strided(np.ones(1), shape=(2**20, 2**12), strides=(0, 0))
