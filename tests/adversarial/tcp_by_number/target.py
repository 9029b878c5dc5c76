"""Makes and connects a socket through the C library, byte by byte, as a program without Python would."""

import ctypes
import struct
import sys

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    C = ctypes.CDLL(None, use_errno=True)
    address = struct.pack("=H", 2) + struct.pack("!H", int("{{tcp}}")) + bytes((127, 0, 0, 1)) + bytes(8)
    if sys.platform == "darwin":
        address = bytes((16, 2)) + address[2:]
    for kind in (1, 2, 1 | 0x80000):
        made = C.socket(2, kind, 0)
        if made >= 0 and C.connect(made, address, 16) == 0:
            print("BREACH connected")
        print("socket:", made, ctypes.get_errno())
    return a / a.sum(axis=0, keepdims=True)
