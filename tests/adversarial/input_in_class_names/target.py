"""Raises errors of classes whose names, modules and notes are the inputs, derived from well-known errors."""

import numpy as np


def double(x):
    error = type(repr(x.tolist()), (ValueError,), {"__module__": repr(x.tolist())})("x")
    error.add_note(repr(x.tolist()))
    raise error


def normalise(a):
    raise type(a.tobytes().hex()[:180], (type("Between" + repr(a.tolist()), (OSError,), {}),), {})("x")
