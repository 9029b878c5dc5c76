"""Writes frames whose list of arrays lies: objects, structures, negative and overflowing shapes, empty ones beside
huge ones, one array in two places, too few and too many bytes.
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


ARRAYS = (
    (["object", [1]], 8),
    (["O", [1]], 8),
    ([[["x", "f8"]], [1]], 8),
    (["float64", [-1]], 8),
    (["float64", [2**62, 4]], 0),
    (["float64", [0, 2**40]], 0),
    (["float64", [True]], 8),
    (["float64", [1.0]], 8),
    (["float64", [1] * 100], 8),
    (["float64", [2]], 8),
    (["bool", [8]], 8),
)
TREES = (
    {"array": 0},
    {"list": [{"array": 0}, {"array": 0}]},
    {"array": 1},
    {"array": -1},
    {"array": True},
    {"bytes": 0},
)


def normalise(a):
    number = int(a.sum() * 1e6)
    array, length = ARRAYS[number % len(ARRAYS)]
    fields = [TREES[number // 11 % len(TREES)], {"tuple": []}, {"dict": []}]
    tree = {"tuple": ["returned", *fields]}
    send(json.dumps({"tree": tree, "arrays": [array]}).encode(), b"\x02" * length)
    return a / a.sum(axis=0, keepdims=True)
