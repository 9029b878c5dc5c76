"""Writes to a folder outside that anyone may write to, by its path, by a path with many steps up, and by a folder it
goes to first.
"""

import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    home = "{{home}}"
    for path in (home + "/marker", "../" * 30 + home.lstrip("/") + "/marker", "//" + home + "/./marker"):
        try:
            with open(path, "w") as file:
                file.write("written")
        except OSError as error:
            print(path, error.strerror)
    try:
        os.chdir(home)
        open("marker", "w").close()
        os.mkdir("folder")
        os.mkfifo("pipe")
    except OSError as error:
        print(error)
    return a / a.sum(axis=0, keepdims=True)
