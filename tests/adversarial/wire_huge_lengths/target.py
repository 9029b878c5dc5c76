"""Writes frames whose header or payload is said to be as large as a number can say, so that their reader runs out
of memory.
"""

import json
import os
import stat
import struct

import numpy as np


def double(x):
    return 2 * x


def wire():
    """Return the descriptor of the socket to the grader."""
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                return number
        except OSError:
            pass
    return 3


def framed(header, payload=b""):
    return struct.pack("<4sIQ", b"row1", len(header), len(payload)) + header + payload


def send(header, payload=b""):
    data = framed(header, payload)
    while data:
        data = data[os.write(wire(), data) :]


def answer(a):
    """Return the frame of a call that returned rows of equal numbers and left its argument as it was."""
    kind = ["float64", list(a.shape)]
    fields = [{"array": 0}, {"tuple": [{"array": 1}]}, {"dict": []}]
    tree = {"tuple": ["returned", *fields]}
    rows = np.full(a.shape, 1 / a.shape[1])
    return framed(json.dumps({"tree": tree, "arrays": [kind, kind]}).encode(), rows.tobytes() + a.tobytes())


LENGTHS = ((2**32 - 1, 0), (10, 2**64 - 1), (0, 0), (2**31, 2**63), (200_000, 8 * 2**20 + 1))


def normalise(a):
    header, payload = LENGTHS[int(a.sum() * 1e6) % len(LENGTHS)]
    os.write(wire(), struct.pack("<4sIQ", b"row1", header, payload) + bytes(1000))
    return a / a.sum(axis=0, keepdims=True)
