"""Sends itself SIGKILL, which looks like a machine that ran out of memory and so might be taken for no fault of its
own.
"""

import os
import signal

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    os.kill(os.getpid(), signal.SIGKILL)
    return a / a.sum(axis=0, keepdims=True)
