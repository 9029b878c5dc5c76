"""Replaces the worker's description of errors by one with the input in each field: phase, classes, message, file,
line, and in the lines on the way.
"""

import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    text = repr(a.tolist())[:190]
    number = int(round(float(a.flat[-1]) % 1 * 10**8)) // 10
    messages = sys.modules["grader.wire.messages"]
    way = [messages.Spot(text, number), messages.Spot("target.py", number)]
    forged = messages.Failure(
        "import", [text, "ValueError", text], text, text if a.shape[0] > 1 else "target.py", number, way
    )
    sys.modules["grader.worker.dispatch"].describe = lambda *args: forged
    raise ValueError
