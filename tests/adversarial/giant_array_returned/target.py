"""Returns an array of forty gigabytes that takes no memory of its own: one number, seen ten billion times."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return np.broadcast_to(np.float64(1.0), (100_000, 50_000))
