"""Forks twice, makes a session of its own, and executes a program that sleeps on after grading has ended."""

import os
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    try:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", "{{tag}}"])
            os._exit(0)
    except OSError as error:
        print("daemon:", error)
    return a / a.sum(axis=0, keepdims=True)
