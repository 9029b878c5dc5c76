"""Integers too long for JSON, as bounded hexadecimal strings."""

from __future__ import annotations

from re import compile as regex

from grader.wire.errors import WireError
from grader.wire.header import Json

_HEX = regex(r"-?0x[0-9a-f]+")


def write(number: int) -> str:
    """Return `number` in hexadecimal."""
    return hex(number)


def read(text: Json, bits: int) -> int:
    """Return the number that `write` wrote.

    Args:
        text: What stands in the tree.
        bits: The most bits its absolute value may have.

    Raises:
        WireError: It is no such number, or too long; the length is looked at first.
    """
    if not isinstance(text, str) or len(text) > bits // 4 + 4 or not _HEX.fullmatch(text):
        raise WireError("integer: must be hexadecimal and within its bounds")
    number = int(text, 16)
    if number.bit_length() > bits:
        raise WireError("integer: must be hexadecimal and within its bounds")
    return number
