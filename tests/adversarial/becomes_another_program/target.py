"""Executes another interpreter in place of itself, with the same process number and descriptors, which leaves a marker
and then goes on to answer nothing.
"""

import os
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    program = "open('{{home}}/marker', 'w').close()"
    for path in (sys.executable, "/usr/bin/python3", "/proc/self/exe", "/lib64/ld-linux-x86-64.so.2"):
        try:
            os.execv(path, [path, "-c", program])
        except OSError as error:
            print(path, error)
    return a / a.sum(axis=0, keepdims=True)
