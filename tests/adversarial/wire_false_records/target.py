"""Answers with records of odd names and fields: some are refused, some pretend to be an array that is right and huge."""


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


ARRAY = ["ndarray", "shape", {"tuple": [3, 5]}, "ndim", 2, "dtype", "float64", "size", 15, "nbytes", {"int": hex(2**900)}]
VALUES = (
    {"record": ARRAY},
    {"record": ["Failed", "error", "AssertionError", "passed", True, "status", "passed"]},
    {"record": ["ndarray", "nbytes", "text"]},
    {"record": ["ndarray", "_fields", 1]},
    {"record": ["ndarray", "__array__", 1]},
    {"record": ["ndarray", "__class__", "ndarray"]},
    {"record": ["ndarray", "__eq__", True]},
    {"record": ["ndarray", "shape", 1, "shape", 2]},
    {"record": ["\x1b[31mpassed", "shape", 1]},
    {"record": ["passed\npassed", "shape", 1]},
    {"record": ["n" * 100_000]},
    {"record": ["ndarray", *(part for n in range(20_000) for part in (f"f{n}", n))]},
    {"record": ["ndarray", "shape", {"record": ["ndarray", "shape", {"record": ARRAY}]}]},
    {"list": [{"record": ARRAY}] * 3000},
    {"dict": [{"record": ["Key"]}, 1]},
    {"record": ARRAY[:-1]},
    {"record": []},
)


def normalise(a):
    value = VALUES[int(a.sum() * 1e6) % len(VALUES)]
    fields = [value, {"tuple": [{"array": 0}]}, {"dict": []}]
    tree = {"tuple": ["returned", *fields]}
    send(json.dumps({"tree": tree, "arrays": [["float64", [1]]]}).encode(), bytes(8))
    return a / a.sum(axis=0, keepdims=True)
