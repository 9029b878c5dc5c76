"""Writes headers that are nested deeply, hold numbers of very many digits, hundreds of thousands of values,
repeated keys, constants that are no JSON, or text that is no text.
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


HEADERS = (
    b"[" * 200_000,
    b'{"tree":' + b"[" * 100_000 + b"]" * 100_000 + b',"arrays":[]}',
    b'{"tree":' + b"9" * 200_000 + b',"arrays":[]}',
    b'{"tree":1e99999,"arrays":[]}',
    b'{"tree":NaN,"arrays":[]}',
    b'{"tree":[' + b"1," * 100_000 + b'1],"arrays":[]}',
    b'{"tree":1,"tree":2,"arrays":[]}',
    b'{"tree":{"list":[' + b'{"list":[]},' * 20_000 + b'null]},"arrays":[]}',
    b"\xff\xfe{",
    b'{"tree":{"int":"0x' + b"f" * 200_000 + b'"},"arrays":[]}',
)


def normalise(a):
    send(HEADERS[int(a.sum() * 1e6) % len(HEADERS)])
    return a / a.sum(axis=0, keepdims=True)
