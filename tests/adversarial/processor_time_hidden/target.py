"""Replaces Python's clocks by ones that stand still, and computes for ever: a limit that the submission could measure
itself would never be reached.
"""

import resource
import time

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for clock in ("time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"):
        setattr(time, clock, lambda *_: 0.0)
    resource.getrusage = lambda *_: (0.0,) * 16
    while True:
        pass
    return a / a.sum(axis=0, keepdims=True)
