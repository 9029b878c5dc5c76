"""Listens on TCP, on a unix socket in every folder it can find, and on an abstract name, so that a later submission
could reach it.
"""

import os
import socket

import numpy as np


def attempt(what, action, *arguments):
    try:
        action(*arguments)
    except Exception as error:
        print(f"{what}: {type(error).__name__}: {error}")
    else:
        print(f"BREACH {what}")


def double(x):
    return 2 * x


def normalise(a):
    def listen(family, address):
        with socket.socket(family) as made:
            made.bind(address)
            made.listen()

    attempt("tcp", listen, socket.AF_INET, ("127.0.0.1", 0))
    attempt("tcp of all", listen, socket.AF_INET, ("0.0.0.0", 0))
    attempt("tcp 6", listen, socket.AF_INET6, ("::1", 0))
    attempt("unix", listen, socket.AF_UNIX, "listening")
    attempt("unix outside", listen, socket.AF_UNIX, os.path.join("{{home}}", "listening"))
    attempt("abstract", listen, socket.AF_UNIX, "\0{{tag}}")
    return a / a.sum(axis=0, keepdims=True)
