"""Makes code whose line numbers are the digits of an input, and raises there: by compile(), by the first line of
its code, and by a syntax error of its own making.
"""

import numpy as np


def digits(x):
    return int(round(float(x.flat[0]) % 1 * 10**8)) // 10 + 1


def trap():
    raise ValueError


def double(x):
    trap.__code__ = trap.__code__.replace(co_firstlineno=digits(x) - 1, co_filename="target.py")
    trap()


def normalise(a):
    raise SyntaxError("x", ("target.py", digits(a) - 1, digits(a), "x"))
