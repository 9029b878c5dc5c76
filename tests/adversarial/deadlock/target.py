"""Takes a lock twice and waits for ever, in a way that no signal handler of Python's can interrupt."""

import threading

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
    return a / a.sum(axis=0, keepdims=True)
