"""What becomes of standard error does not become of the run."""

from __future__ import annotations

import errno
import io
import os
import sys

import pytest

from grader.batch.console import console


class Broken(io.StringIO):
    """A stream that fails at a write, or only when it is flushed."""

    def __init__(self, number: int, *, late: bool) -> None:
        super().__init__()
        self._error = OSError(number, os.strerror(number))
        self._late = late

    def write(self, text: str) -> int:
        if not self._late:
            raise self._error
        return len(text)

    def flush(self) -> None:
        raise self._error


@pytest.mark.parametrize("number", [errno.EPIPE, errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("late", [False, True])
def test_a_reader_who_has_gone_or_a_full_disk_stops_no_run(monkeypatch, number, late) -> None:
    monkeypatch.setattr(sys, "stderr", Broken(number, late=late))
    log = console()
    for _ in range(3):
        log.print("graded 1 of 2")


def test_a_closed_stream_stops_no_run(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    console().print("graded 1 of 2")


def test_what_can_be_told_is_told(monkeypatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.delenv("COLUMNS", raising=False)
    log = console()
    log.print("word " * 40)
    assert max(map(len, stream.getvalue().splitlines())) > 80
    assert log.width == 120
