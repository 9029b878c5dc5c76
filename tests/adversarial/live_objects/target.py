"""Returns generators, open files, functions, modules, locks and itself, one after another, in the place of an
array.
"""

import sys
import threading

import numpy as np


def double(x):
    return 2 * x


count = 0


def normalise(a):
    global count
    count += 1
    kinds = (
        (row for row in a),
        sys.stdout,
        normalise,
        np,
        threading.Lock(),
        sys._getframe(),
        np.random.default_rng(0),
        memoryview(a),
        a.flat,
        type,
    )
    return kinds[count % len(kinds)]
