"""Returns at once, but leaves threads that count for ever and use the processor during every later call."""

import threading

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    def busy():
        while True:
            pass

    for _ in range(2):
        threading.Thread(target=busy, daemon=True).start()
    return a / a.sum(axis=0, keepdims=True)
