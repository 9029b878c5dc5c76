"""Which limit an error of a submission ran into, in words: Python's own message names neither the limit nor its value."""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import EFBIG, EMFILE, ENOSPC
from typing import Any

from grader.wire.errors import mebibytes
from grader.wire.messages import Bounds
from grader.worker.errors import Unreturnable


def limit_met(error: BaseException, bounds: Bounds) -> str:
    """Return the limit that an error came from and its value; "" where it came from none.

    Raises:
        BaseException: Anything: the error may be of a hostile class.
    """
    if isinstance(error, MemoryError):
        return "" if isinstance(error, Unreturnable) else f"the limit is {bounds.memory_mb} MiB of memory"
    if isinstance(error, OSError):
        return _of_files(_errno(error), bounds)
    if type(error) is RuntimeError and str(error) == "can't start new thread":
        # Which of the two it was is not told: each thread takes memory for its stack.
        return f"the limit is {bounds.processes} threads and processes, and {bounds.memory_mb} MiB of memory"
    return ""


def _of_files(number: object, bounds: Bounds) -> str:
    if number == EMFILE:
        return f"the limit is {bounds.open_files} open files"
    if number == EFBIG:
        return f"the limit is {bounds.file_mb} MiB a file"
    if number == ENOSPC:
        room = _statvfs(".")
        return f"the limit is {mebibytes(room.f_blocks * room.f_frsize)} MiB and {room.f_files} files in the folder"
    return ""


# Bound at import, before a submission can put something else in its place. Windows has no statvfs, and no folder of ours.
_statvfs: Any = getattr(os, "statvfs", None)
_errno: Callable[[OSError], object] = vars(OSError)["errno"].__get__
