"""Reads from standard input, where nobody will ever write anything."""

import os
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    try:
        print(repr(sys.stdin.read()), repr(os.read(0, 10)))
        input()
    except (EOFError, OSError, ValueError, AttributeError) as error:
        print("input:", type(error).__name__)
    return a / a.sum(axis=0, keepdims=True)
