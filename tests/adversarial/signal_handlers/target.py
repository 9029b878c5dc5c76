"""Takes over every signal, sets alarms that go off while the worker sends its answer, and changes the answer from
there by raising and by replacing functions.
"""

import signal
import sys

import numpy as np


def double(x):
    return 2 * x


def interfere(number, frame):
    signal.setitimer(signal.ITIMER_REAL, 0)
    while frame:
        if frame.f_code.co_name in ("send", "_reply", "tree"):
            for value in frame.f_locals.values():
                if isinstance(value, np.ndarray):
                    value[...] = 0.2
        frame = frame.f_back


for number in signal.valid_signals():
    try:
        signal.signal(number, interfere)
    except (OSError, ValueError, RuntimeError):
        pass


def normalise(a):
    signal.setitimer(signal.ITIMER_REAL, 0.0005)
    return a / a.sum(axis=0, keepdims=True)
