"""Sleeps nearly as long as an import may, and then kills itself with a signal that looks as if the machine had sent it,
so that it is tried once more, and once more.
"""

import os
import signal
import time

import numpy as np

time.sleep(1.8)
os.kill(os.getpid(), signal.SIGKILL)


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)
