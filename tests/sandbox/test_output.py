from __future__ import annotations

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.output import Drain


@given(st.lists(st.binary(max_size=50)), st.integers(0, 200))
def test_the_first_bytes_are_kept_and_whether_there_were_more_is_known(chunks: list[bytes], keep: int) -> None:
    reading, writing = os.pipe()
    drain = Drain(reading, keep)
    for chunk in chunks:
        os.write(writing, chunk)
    os.close(writing)
    printed = b"".join(chunks)
    assert drain.output(patience=5) == (printed[:keep], len(printed) > keep)


def test_what_came_so_far_is_given_while_the_writer_lives() -> None:
    reading, writing = os.pipe()
    drain = Drain(reading, 10)
    os.write(writing, b"early")
    end = time.monotonic() + 2
    while drain.output().text != b"early" and time.monotonic() < end:
        time.sleep(0.005)
    assert drain.output() == (b"early", False)
    os.close(writing)


def test_the_pipe_is_closed_when_the_last_writer_is_gone() -> None:
    reading, writing = os.pipe()
    drain = Drain(reading, 10)
    os.close(writing)
    drain.output(patience=5)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(reading)
