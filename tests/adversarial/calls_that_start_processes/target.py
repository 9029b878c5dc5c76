"""Makes the calls that start or replace a process by their numbers, past every check of Python and the C library. Only
flags without effect on this process are used, save where a child is what is wanted.
"""

import ctypes
import platform

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
    if HERE == "x86_64" and C.syscall(57) == 0 or HERE == "x86_64" and C.syscall(58) == 0:
        C._exit(0)
    for flags in (0, 0x11, 0x4100, 0x00020011, 0x10000011, 0x20000011, 0x40000011, 0x02000011, 0x7E020011):
        child = C.syscall(ctypes.c_long({"x86_64": 56}.get(HERE, 220)), ctypes.c_long(flags), 0, 0, 0, 0)
        if child == 0:
            C._exit(0)
        print("refused:" if child < 0 else "BREACH", f"clone {flags:#x}", ctypes.get_errno())
    arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17)
    child = C.syscall(ctypes.c_long(435), arguments, ctypes.c_long(88))
    if child == 0:
        C._exit(0)
    print("refused:" if child < 0 else "BREACH", "clone3", ctypes.get_errno())
    nothing = (ctypes.c_char_p * 1)()
    ask("execve", (59, 221), b"/nowhere", nothing, nothing)
    ask("execveat", (322, 281), -100, b"/nowhere", nothing, nothing, 0)
    ask("fork as x32", (57 | 0x40000000, None))
    return a / a.sum(axis=0, keepdims=True)
