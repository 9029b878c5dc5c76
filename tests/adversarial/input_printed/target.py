"""Prints every input it is given, in full digits and in hexadecimal."""

import sys

import numpy as np


def double(x):
    print(x.tolist(), x.tobytes().hex())
    return 2 * x


def normalise(a):
    print(a.tolist(), file=sys.stderr)
    return a / a.sum(axis=0, keepdims=True)
