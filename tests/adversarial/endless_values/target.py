"""Returns a list nested a hundred thousand deep, a list that holds itself, an integer of a hundred thousand
digits, dicts with keys that collide or are arrays, and a million small values.
"""

import numpy as np


def double(x):
    return 2 * x


def deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


def cyclic():
    value = []
    value += [value, value]
    return value


class Key:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        return True


MAKERS = (
    deep,
    cyclic,
    lambda: 10**100_000,
    lambda: {Key(): 1, "x": 2},
    lambda: {float("nan"): 1, (1, (2, 3)): 2},
    lambda: {n * (2**61 - 1): n for n in range(1000)},
    lambda: [0.5] * 1_000_000,
    lambda: [np.zeros(0)] * 100_000,
    lambda: "x" * 10_000_000,
)
count = 0


def normalise(a):
    global count
    count += 1
    return MAKERS[count % len(MAKERS)]()
