"""Raises SystemExit, KeyboardInterrupt, GeneratorExit and a class of its own above Exception, in turn."""

import sys

import numpy as np


def double(x):
    return 2 * x


class Quiet(BaseException):
    pass


count = 0


def normalise(a):
    global count
    count += 1
    raise (SystemExit(0), KeyboardInterrupt(), GeneratorExit(), Quiet(), StopIteration(a))[count % 5]
