"""Matches a pattern that takes exponential time, in compiled code that seldom looks at signals."""

import re

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    re.match(r"(a+)+$", "a" * 60 + "b")
    return a / a.sum(axis=0, keepdims=True)
