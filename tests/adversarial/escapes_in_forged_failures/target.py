"""Replaces the worker's description of errors by one with control characters in each field, the file's name too."""

import sys

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
    messages = sys.modules["grader.wire.messages"]
    forged = messages.Failure("call", [NASTY[:190], "ValueError"], NASTY, NASTY[-60:], 3, [messages.Spot(NASTY[-60:], 3)])
    sys.modules["grader.worker.dispatch"].describe = lambda *args: forged
    raise ValueError
