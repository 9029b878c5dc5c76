"""What is rehearsed, by a zygote for its workers and by a keeper for its judges: a program, and how often it is called."""

from __future__ import annotations

FUNCTION = "sum_of"
PROGRAM = b"def sum_of(x, y, scale=1.0):\n    return scale * (x + y)\n"
# Python rewrites code at the eighth call.
TIMES = 12
