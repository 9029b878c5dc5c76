"""Asks for what the lock-down gave up: to be traced and dumped again, to outlive its parent, to keep capabilities, to
move its own memory, to turn the filter off.
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
    for name, option, value in (
        ("PDEATHSIG", 1, 0),
        ("DUMPABLE", 4, 1),
        ("KEEPCAPS", 8, 1),
        ("SECCOMP strict", 22, 0),
        ("CAPBSET_DROP", 24, 0),
        ("SECUREBITS", 28, 0),
        ("TIMERSLACK", 29, 1),
        ("TASK_PERF_EVENTS", 32, 0),
        ("MCE_KILL", 33, 0),
        ("MM", 35, 1),
        ("CHILD_SUBREAPER", 36, 1),
        ("NO_NEW_PRIVS", 38, 0),
        ("THP_DISABLE", 41, 0),
        ("CAP_AMBIENT", 47, 4),
        ("SPECULATION", 53, 0),
        ("IO_FLUSHER", 57, 1),
        ("SYSCALL_USER_DISPATCH", 59, 0),
        ("SCHED_CORE", 62, 0),
        ("MDWE", 65, 1),
        ("PTRACER", 0x59616D61, -1),
    ):
        ask(f"prctl {name}", (157, 167), option, value, 0, 0, 0)
    print("still there:", C.prctl(39, 0, 0, 0, 0), C.prctl(21, 0, 0, 0, 0), C.prctl(3, 0, 0, 0, 0))
    return a / a.sum(axis=0, keepdims=True)
