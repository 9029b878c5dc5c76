"""Writes its own wrong answer over the submission of a neighbour, by writing, by renaming over it, and by cutting it
short.
"""

import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    path = "{{class}}/neighbour/target.py"
    try:
        with open(path, "w") as file:
            file.write("def double(x):\n    return x\n")
        print("BREACH written")
    except OSError as error:
        print(error)
    for act in (
        lambda: os.truncate(path, 0),
        lambda: os.rename("own.py", path),
        lambda: os.symlink("/dev/null", path + ".new"),
    ):
        try:
            with open("own.py", "w") as file:
                file.write("")
            act()
            print("BREACH")
        except OSError as error:
            print(error)
    return a / a.sum(axis=0, keepdims=True)
