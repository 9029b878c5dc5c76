"""Files for the tests of checkpoints, each in a folder of its own, which goes when nobody needs the file's path any more."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import torch


class _Place(type(Path())):  # type: ignore[misc]  # a class of its own, so that its end can be waited for
    """The path of a file."""


def new_path() -> Path:
    """Return the path of a file that is not there yet."""
    folder = tempfile.mkdtemp()
    path = _Place(folder, "run.pt")
    weakref.finalize(path, shutil.rmtree, folder, ignore_errors=True)
    return path


def copied(path: Path) -> Path:
    """Copy a file somewhere else, take the first one away, and return where it is now."""
    there = new_path()
    shutil.copyfile(path, there)
    path.unlink()
    return there


class Held:
    """A file that is held open: what is read from it stays the same, unless the file itself is written.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        weakref.finalize(self, self._file.close)

    def as_it_is(self) -> Path:
        """Return a copy of what it holds now."""
        there = new_path()
        self._file.seek(0)
        there.write_bytes(self._file.read())
        return there


def held_open(path: Path) -> Held:
    """Hold a file open, as another program does that reads it."""
    return Held(path)


def trap() -> Path:
    """Return a stranger's file. Whoever reads it as any Python object there may be runs the stranger's code."""
    path = new_path()
    torch.save({"model": _Trap(str(_mark(path)))}, path)
    return path


def sprung(path: Path) -> bool:
    """Whether a stranger's code has run."""
    return _mark(path).exists()


def _mark(path: Path) -> Path:
    return path.with_suffix(".sprung")


class _Trap:
    def __init__(self, mark: str) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self._mark,)
