"""Asks for large packages in which somebody else's solution may be found, past the rule for imports."""

import importlib
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


sys.path += ["/usr/lib/python3/dist-packages", "{{course}}", "{{course}}/reference", "{{class}}"]
for name in ("sklearn.preprocessing", "scipy.special", "torch", "transformers", "neighbour.target", "reference.target"):
    try:
        importlib.import_module(name)
        print("BREACH imported", name)
    except BaseException as error:
        print(type(error).__name__, error)
