"""Bytes changed at random, in the ways that lead parsers astray."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

_ODD = [bytes(n) for n in (1, 2, 4, 8, 512)] + [b"\xff" * n for n in (1, 2, 4, 8)]
_ODD += [b"\x7f\xff\xff\xff", b"\x80", b"\xff\xff\xff\x7f", b"9" * 30, b"-1", b"[" * 300, b"\x1b[2J", b"../", b"\n"]
_LONGEST = 200_000


def mutated(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Return `data` with one to six changes; `others` are inputs that pieces are taken from."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        random.choice(_CHANGES)(random, changed, random.choice(others))
    return bytes(changed[:_LONGEST])


def _flip(random: Random, data: bytearray, _: bytes) -> None:
    if data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def _set(random: Random, data: bytearray, _: bytes) -> None:
    if data:
        data[random.randrange(len(data))] = random.randrange(256)


def _overwrite(random: Random, data: bytearray, _: bytes) -> None:
    odd = random.choice(_ODD)
    at = random.randrange(len(data) + 1)
    data[at : at + len(odd)] = odd


def _insert(random: Random, data: bytearray, _: bytes) -> None:
    at = random.randrange(len(data) + 1)
    data[at:at] = random.choice(_ODD)


def _cut(random: Random, data: bytearray, _: bytes) -> None:
    at = random.randrange(len(data) + 1)
    del data[at : at + random.choice((1, 2, 8, 30, 512, 10_000))]


def _repeat(random: Random, data: bytearray, _: bytes) -> None:
    at = random.randrange(len(data) + 1)
    data[at:at] = data[at : at + random.randrange(1, 600)] * random.choice((1, 2, 20))


def _splice(random: Random, data: bytearray, other: bytes) -> None:
    start, length = random.randrange(len(other) + 1), random.randrange(1, 600)
    at = random.randrange(len(data) + 1)
    data[at : at + random.choice((0, length))] = other[start : start + length]


_CHANGES: Sequence[Callable[[Random, bytearray, bytes], None]] = (
    _flip,
    _set,
    _overwrite,
    _insert,
    _cut,
    _repeat,
    _splice,
)
