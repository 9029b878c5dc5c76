"""Asks the kernel for the grader's memory, its registers and its open files, by number of the call, past the C
library.
"""

import ctypes
import errno
import os

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)


PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
CALLS = {"x86_64": (101, 310, 434, 438), "aarch64": (117, 270, 434, 438)}


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


libc = ctypes.CDLL(None, use_errno=True)
ptrace, readv, pidfd_open, pidfd_getfd = CALLS.get(os.uname().machine, CALLS["x86_64"])
room = ctypes.create_string_buffer(8)
for pid in (int("{{grader}}"), os.getppid(), 1):
    if pid in (0, os.getpid()):
        continue
    # An address that is not mapped: EFAULT says that the memory of the process is open.
    read = libc.syscall(readv, pid, ctypes.byref(Piece(ctypes.addressof(room), 8)), 1, ctypes.byref(Piece(16, 8)), 1, 0)
    if read > 0 or ctypes.get_errno() == errno.EFAULT:
        print("BREACH the memory of", pid, "is open")
    if libc.syscall(ptrace, PTRACE_SEIZE, pid, 0, 0) == 0:
        print("BREACH", pid, "is traced")
        libc.syscall(ptrace, PTRACE_DETACH, pid, 0, 0)
    descriptor = libc.syscall(pidfd_open, pid, 0)
    if descriptor >= 0:
        stolen = libc.syscall(pidfd_getfd, descriptor, 0, 0)
        if stolen >= 0:
            print("BREACH took a file of", pid)
            os.close(stolen)
        os.close(descriptor)
