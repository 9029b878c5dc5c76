"""Stores the inputs it sees in builtins, modules, files wherever it may write, ends its process and looks whether
the next worker finds any of it.
"""

import builtins
import os
import sys

import numpy as np

PLACES = ("stash", "/box/stash", "../stash", "{{home}}/stash")

for place in PLACES:
    if os.path.exists(place):
        print("BREACH a file of an earlier worker", place)
if hasattr(builtins, "stash") or hasattr(sys, "stash") or hasattr(np, "stash"):
    print("BREACH memory of an earlier worker")


def double(x):
    return 2 * x


def normalise(a):
    builtins.stash = sys.stash = np.stash = a.tolist()
    for place in PLACES:
        try:
            with open(place, "w", encoding="ascii") as file:
                file.write(repr(a.tolist()))
        except OSError:
            pass
    os._exit(0)
