"""May make a pair of connected local sockets, and tries to send from it to another address, to name it, to listen on
it, and to pass descriptors through it.
"""

import array
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
    ours, theirs = socket.socketpair()
    attempt("sendto an address", ours.sendto, b"x", "{{unix}}")
    attempt("connect", ours.connect, "{{unix}}")
    attempt("bind", ours.bind, "mine")
    attempt("listen", theirs.listen)
    attempt("pass a descriptor", ours.sendmsg, [b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
    attempt("datagrams", socket.socketpair, socket.AF_UNIX, socket.SOCK_DGRAM)
    return a / a.sum(axis=0, keepdims=True)
