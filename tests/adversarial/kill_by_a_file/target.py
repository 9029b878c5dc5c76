"""Names another process as the owner of a descriptor, and has the kernel send that owner SIGKILL when data arrives. No
call named kill is made.
"""

import fcntl
import os
import signal
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
    victim = int("{{victim}}")
    attempt("F_SETOWN", fcntl.fcntl, ours, 8, victim)
    attempt("F_SETOWN_EX", fcntl.fcntl, ours, 15, b"\x01\0\0\0" + victim.to_bytes(4, "little"))
    attempt("F_SETSIG", fcntl.fcntl, ours, 10, int(signal.SIGKILL))
    attempt("FIOSETOWN", fcntl.ioctl, ours, 0x8901, victim.to_bytes(4, "little"))
    attempt("F_NOTIFY", fcntl.fcntl, os.open(".", os.O_RDONLY), 1026, 0x80000000 - 1)
    attempt("FIOASYNC", fcntl.ioctl, ours, 0x5452, b"\x01\0\0\0")
    theirs.send(b"now")
    return a / a.sum(axis=0, keepdims=True)
