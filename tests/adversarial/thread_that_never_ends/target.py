"""Starts a thread that is no daemon. Python waits for such threads before it ends, so a process that is asked to end
never would.
"""

import threading
import time

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


threading.Thread(target=time.sleep, args=(3600,)).start()
