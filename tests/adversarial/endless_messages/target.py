"""Raises messages of millions of characters that take many times as much room once they are escaped, lines without
end and ends of lines alone.
"""

import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    if a.shape[0] > 1:
        raise ValueError("\x1b\u202e\x00" * 3_000_000)
    raise type("\u2028" * 100_000, (ValueError,), {})("\n" * 1_000_000)
