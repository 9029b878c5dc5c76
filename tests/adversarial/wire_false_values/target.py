"""Writes answers with tags that do not exist, tensors where there is no torch, generators with impossible states,
functions that were never lent, and dicts whose keys are equal or collide.
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


VALUES = (
    {"pickle": "cos"},
    {"tensor": [0, "float64"]},
    {"torch_generator": 0},
    {"generator": ["PCG64", "0x0", "0x0", "0x9", "-0x1"]},
    {"generator": ["MT19937", "0x0", "0x0", "0x0", "0x0"]},
    {"lent": 0},
    {"lent": 2**40},
    {"handle": [0, "ndarray" * 100]},
    {"handle": [2**80, "ndarray"]},
    {"scalar": ["float64", "00"]},
    {"scalar": ["object", "0000000000000000"]},
    {"dict": [1, 2, 1, 2]},
    {"dict": [{"list": []}, 1]},
    {"dict": [each for n in range(2000) for each in ({"int": hex(n * (2**61 - 1))}, None)]},
    {"float": "nan(0x1)"},
    {"complex": [1, 2]},
    {"list": 1, "tuple": 2},
)


def normalise(a):
    value = VALUES[int(a.sum() * 1e6) % len(VALUES)]
    fields = [value, {"tuple": [{"array": 0}]}, {"dict": []}]
    tree = {"tuple": ["returned", *fields]}
    send(json.dumps({"tree": tree, "arrays": [["float64", [1]]]}).encode(), bytes(8))
    return a / a.sum(axis=0, keepdims=True)
