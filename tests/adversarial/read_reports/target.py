"""Opens the folder that reports are written to and reads whatever reports lie there already."""

import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


try:
    print("BREACH the folder of reports is open:", os.listdir("{{out}}"))
except OSError as error:
    print(error)
