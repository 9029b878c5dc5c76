from __future__ import annotations

import io

import pytest

from grader.intake.base import CAPS, Caps, Refused
from grader.intake.budget import CHUNK, Budget, Counted, Inflated, too_large


def test_what_is_read_is_paid_for_up_to_the_total():
    budget = Budget(Caps(total_bytes=10))
    assert budget.read(io.BytesIO(b"12345"), 100, "a") == b"12345"
    assert budget.read(io.BytesIO(b"12345"), 100, "b") == b"12345"
    with pytest.raises(Refused, match="more than 0 MiB") as caught:
        budget.read(io.BytesIO(b"1"), 100, "c")
    assert caught.value.problem.file == "c"


def test_a_file_may_be_as_long_as_the_limit_and_no_longer():
    budget = Budget(Caps())
    assert len(budget.read(io.BytesIO(bytes(2048)), 2048, "a")) == 2048
    with pytest.raises(Refused, match="larger than 2 KiB"):
        budget.read(io.BytesIO(bytes(2049)), 2048, "a")


def test_a_stream_without_end_is_left_after_the_limit():
    class Endless(io.RawIOBase):
        given = 0

        def read(self, size=-1):
            self.given += size
            return bytes(size)

    stream = Endless()
    with pytest.raises(Refused):
        Budget(Caps()).read(stream, 1000, "a")
    assert stream.given <= 2 * CHUNK


def test_names_are_counted():
    budget = Budget(Caps(entries=3))
    budget.check_entries(3, "a")
    with pytest.raises(Refused, match="more than 3 files"):
        budget.check_entries(4, "a")


def test_the_ratio_is_judged_only_once_there_is_something_to_judge():
    budget = Budget(Caps(ratio=10))
    budget.check_ratio(10_000, 1, "a")
    budget.check_ratio(10_000_000, 1_000_001, "a")
    with pytest.raises(Refused, match="more than 10 times"):
        budget.check_ratio(10_000_000, 999_999, "a")


def test_nobody_can_be_made_to_read_much_at_once():
    stream = Counted(io.BytesIO(bytes(CAPS.table_bytes + 10)), "a.zip")
    assert len(stream.read(CAPS.table_bytes)) == CAPS.table_bytes
    assert stream.count == CAPS.table_bytes
    stream.seek(0)
    for size in (-1, CAPS.table_bytes + 1, 3_000_000_000):
        stream.seek(0)
        with pytest.raises(Refused, match="table of contents"):
            stream.read(size)


def test_reading_to_the_end_of_little_is_fine():
    stream = Counted(io.BytesIO(b"12345"), "a.zip")
    stream.seek(2)
    assert stream.read() == b"345"
    assert stream.tell() == 5
    assert stream.readable()
    assert stream.seekable()


def test_inflated_bytes_are_paid_for_as_they_come():
    raw = Counted(io.BytesIO(b"x"), "a")
    raw.read(1)
    budget = Budget(Caps(total_bytes=10_000_000, ratio=100))
    stream = Inflated(io.BytesIO(bytes(1_000_000)), raw, budget, "a")
    assert stream.readable()
    assert len(stream.read(10)) == 10
    with pytest.raises(Refused, match="times its size"):
        list(iter(lambda: stream.read(-1), b""))
    assert budget.spent < 500_000


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("toy.py", "only code"),
        ("toy.ipynb", "clear all its outputs"),
        ("answers.toml", "only your answers"),
        ("run.npz", "what the program wrote"),
    ],
)
def test_what_is_too_large_is_told_what_its_kind_of_file_should_lose(file, what):
    assert what in too_large(file, 2048).problem.hint
