"""Raises errors whose messages, class names and printed text hold lone surrogates and half of a pair, which cannot
be written to a file.
"""

import sys

import numpy as np


def double(x):
    return 2 * x


HALF = "\udc1b[31m\ud800\udfff\udcff\ud83d"


def normalise(a):
    print(HALF)
    sys.stdout.buffer.write(HALF.encode("utf-8", "surrogatepass"))
    if a.shape[0] > 1:
        raise ValueError(HALF)
    return {HALF: HALF, 1: [HALF]}
