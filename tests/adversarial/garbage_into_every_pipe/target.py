"""Writes garbage into each descriptor it has, the socket to the judge among them, from the call and from a thread
afterwards.
"""

import os
import threading

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    def write():
        for number in range(3, 64):
            try:
                os.write(number, b"\xff" * 4096)
                os.write(number, b"")
            except OSError:
                pass

    threading.Timer(0.01, write).start()
    write()
    return a / a.sum(axis=0, keepdims=True)
