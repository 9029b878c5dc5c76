"""An error that came of a limit names the limit and its value."""

from __future__ import annotations

import errno
import os
import threading

import pytest

from grader.wire.messages import MAX_MESSAGE, Bounds
from grader.worker.bounds import limit_met
from grader.worker.errors import Unreturnable
from grader.worker.failure import Setting, describe

BOUNDS = Bounds(reply_mb=64, memory_mb=256, processes=16, open_files=96, file_mb=4)


class LyingError(Exception):
    """Says that it is an OSError."""

    @property
    def __class__(self):
        return OSError

    errno = errno.EMFILE


@pytest.mark.parametrize(
    ("error", "limit"),
    [
        (MemoryError(), "the limit is 256 MiB of memory"),
        (MemoryError("Unable to allocate"), "the limit is 256 MiB of memory"),
        (OSError(errno.EMFILE, "Too many open files", "/home/student/a"), "the limit is 96 open files"),
        (OSError(errno.EFBIG, "File too large"), "the limit is 4 MiB a file"),
        (RuntimeError("can't start new thread"), "the limit is 16 threads and processes, and 256 MiB of memory"),
        (Unreturnable("f returned 65 MiB"), ""),
        (OSError(errno.ENOENT, "No such file"), ""),
        (OSError("no number"), ""),
        (RuntimeError("something else"), ""),
        (ValueError("can't start new thread"), ""),
    ],
)
def test_the_limit_is_named_where_the_error_came_of_one(error, limit):
    assert limit_met(error, BOUNDS) == limit


def test_a_full_folder_is_told_with_what_it_holds():
    room = os.statvfs(".")
    said = limit_met(OSError(errno.ENOSPC, "No space left on device"), BOUNDS)
    assert said.startswith("the limit is ")
    assert said.endswith(f" MiB and {room.f_files} files in the folder")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "the limit is 256 MiB of memory"),
        (OSError(errno.EFBIG, "File too large"), "[Errno 27] File too large; the limit is 4 MiB a file"),
        (MemoryError("x" * 5000), "x" * (MAX_MESSAGE - 32) + "; the limit is 256 MiB of memory"),
        (LyingError("mine"), "mine"),
    ],
)
def test_the_limit_follows_the_errors_own_words(error, message):
    failure = describe(error, "call", Setting((), BOUNDS))
    assert failure.message == message
    assert failure.types[0] == type(error).__name__


def test_before_a_worker_was_told_its_limits_nothing_is_said_of_them():
    assert describe(MemoryError("m"), "call", Setting()).message == "m"


def test_python_still_says_what_it_is_known_by():
    """The words of the thread module are matched whole: no class and no number of its own tells this error."""
    threading.stack_size(2**46)
    try:
        with pytest.raises(RuntimeError, match=r"^can't start new thread$"):
            threading.Thread(target=len).start()
    finally:
        threading.stack_size(0)
