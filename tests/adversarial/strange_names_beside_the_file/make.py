"""Hands in files whose names hold line ends, terminal commands, reversed writing, bytes that are no text, and names
that systems keep for themselves.
"""

from __future__ import annotations

import os
from pathlib import Path

NAMES = (
    b"line\nend",
    b"\x1b[2J\x1b[31mred",
    b"\x1b]0;title\x07",
    b"back\rwards",
    "gpj.\u202eyp.tegrat".encode(),
    "zero\u200bwidth".encode(),
    b"\xff\xfe\x80",
    b"back\\slash",
    b"CON",
    b"trailing.",
    b" blank ",
    b"-rf",
    b"$(touch marker)",
    b"\x9b31m",
    b"a" * 255,
)


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    for name in NAMES:
        (folder / os.fsdecode(name)).touch()
    return folder
