"""Which grader this is, by its code: between two releases its version stays and its code does not."""

from __future__ import annotations

import functools
from hashlib import sha256
from pathlib import Path

import grader

_HOME = Path(grader.__file__).parent
# What has a part in what a judge finds out; the rest scores it, tells it and writes it down.
_JUDGING = ("course", "judge", "model", "sandbox", "testing", "wire", "worker", "pipeline/gather.py")


@functools.cache
def code_digest() -> str:
    """Return a digest over all code of the grader."""
    return _digest([_HOME])


@functools.cache
def judging_digest() -> str:
    """Return a digest over the code that decides what a judge finds out."""
    return _digest([_HOME / part for part in _JUDGING])


def _digest(parts: list[Path]) -> str:
    total = sha256()
    for path in sorted(file for part in parts for file in ([part] if part.is_file() else part.rglob("*"))):
        if path.suffix in (".py", ".ini"):
            content = path.read_bytes()
            total.update(path.relative_to(_HOME).as_posix().encode() + b"\0" + sha256(content).digest())
    return total.hexdigest()
