"""Leaves a file in each folder that it might find again, ends its process, and looks for the files when it is imported
anew, in the next worker or by the next student.
"""

import os

import numpy as np

PLACES = [f"{folder}/left-{{tag}}" for folder in (".", "/tmp", "/dev/shm", "/var/tmp", "{{home}}")]


def double(x):
    return 2 * x


def normalise(a):
    for place in PLACES:
        try:
            open(place, "w").close()
        except OSError as error:
            print(place, error.strerror)
    os._exit(0)
    return a / a.sum(axis=0, keepdims=True)


for place in PLACES:
    if os.path.exists(place):
        print("BREACH found", place)
