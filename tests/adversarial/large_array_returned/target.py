"""Returns an array of forty megabytes, which the worker can hold and the judge should not have to."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return np.ones((1000, 5000))
