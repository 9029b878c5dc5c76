"""Raises an exception whose message and name are each as long as memory allows."""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    raise type("E" * 1_000_000, (ValueError,), {})("x" * 100_000_000)
    return a / a.sum(axis=0, keepdims=True)
