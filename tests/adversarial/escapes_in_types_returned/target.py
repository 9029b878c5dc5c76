"""Returns dicts with keys of classes, and objects of classes, whose names hold control characters."""

import numpy as np


def double(x):
    return 2 * x


NASTY = (
    "\x1b[31mred\x1b[0m"
    "\x1b]0;your grade is 100\x07"
    "\x1b]8;;https://example.invalid/\x1b\\click\x1b]8;;\x1b\\"
    "\x1b[2J\x1b[1;1H\x1b[1A\x1b[2K\rneighbour passed 100"
    "\x9b31m\x9d0;title\x9c\x90q\x85\x00\x08\x7f"
    "\u202egnp.exe\u202c\u2066x\u2069\u200b\u200f\u061c\u2028\u2029\ufeff"
)


def normalise(a):
    odd = type(NASTY[-60:].replace("\x00", ""), (), {"__qualname__": NASTY})
    return {odd(): 1} if a.shape[0] > 1 else odd()
