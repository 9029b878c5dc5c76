"""Sends and asks for bytes out of turn, which the kernel keeps apart from all others: who looks whether anything is left
to read does not see them, and their code has had holes.
"""

import socket

import numpy as np

one, other = socket.socketpair()
for name, ask in {
    "send": lambda: one.send(b"x", socket.MSG_OOB),
    "receive": lambda: other.recv(1, socket.MSG_OOB | socket.MSG_DONTWAIT),
}.items():
    try:
        print("BREACH", name, ask())
    except PermissionError as error:
        print(error)
    except OSError as error:
        print("BREACH", name, error)


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)
