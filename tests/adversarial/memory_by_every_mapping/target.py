"""Asks the kernel for a terabyte of address space as private, shared, unreserved, growing and huge pages, and by
growing a mapping it has.
"""

import ctypes

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    C = ctypes.CDLL(None, use_errno=True)
    C.mmap.restype = C.mremap.restype = ctypes.c_void_p
    terabyte = ctypes.c_size_t(1 << 40)
    private, shared, anonymous = 0x02, 0x01, 0x20
    more = {"plain": 0, "unreserved": 0x4000, "growing": 0x0100, "huge": 0x40000, "locked": 0x2000, "populated": 0x8000}
    for kind, flag in more.items():
        for way in (private, shared):
            place = C.mmap(None, terabyte, 3, way | anonymous | flag, -1, ctypes.c_long(0))
            failed = place in (None, ctypes.c_void_p(-1).value)
            print("refused:" if failed else "BREACH", "mmap", kind)
    small = C.mmap(None, ctypes.c_size_t(4096), 3, private | anonymous, -1, ctypes.c_long(0))
    grown = C.mremap(ctypes.c_void_p(small), ctypes.c_size_t(4096), terabyte, 1)
    print("refused:" if grown in (None, ctypes.c_void_p(-1).value) else "BREACH", "mremap")
    return a / a.sum(axis=0, keepdims=True)
