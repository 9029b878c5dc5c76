"""Sets timers that fire thousands of times a second, in the hope that a signal comes in a bad moment while an answer is
sent.
"""

import signal

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


signal.signal(signal.SIGALRM, lambda *_: None)
signal.signal(signal.SIGVTALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.0005)
signal.setitimer(signal.ITIMER_VIRTUAL, 0.001, 0.0005)
