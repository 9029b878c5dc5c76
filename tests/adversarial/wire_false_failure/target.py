"""Writes a failure with classes, a message and a place of its own choice: that of another exercise still to do, of
the grader's own faults, of a file outside the submission.
"""

import json
import os
import stat
import struct
import time

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


TYPES = (
    ["NotImplementedError"],
    ["GraderError", "Skipped"],
    ["passed"] * 32,
    [],
    ["MemoryError", "Blocked", "StudentError"],
)
PLACES = (("/etc/passwd", 1), ("target.py", 2**31), ("../../hidden/test_target.py", 3), (None, None))


def normalise(a):
    number = int(a.sum() * 1e6)
    file, line = PLACES[number % len(PLACES)]
    types = {"list": TYPES[number % len(TYPES)]}
    way = {"list": []}
    error = ["phase", "import", "types", types, "message", "target.double", "file", file, "line", line, "way", way]
    tree = {"tuple": ["failed", {"dict": error}]}
    send(json.dumps({"tree": tree, "arrays": []}).encode())
    time.sleep(600)
