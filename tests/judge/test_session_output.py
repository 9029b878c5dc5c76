from __future__ import annotations

from grader.judge.session import _output
from grader.sandbox.base import Output


def test_what_many_workers_printed_is_cut_like_what_one_did():
    told = _output([Output(b"a" * 800, truncated=False)] * 3, kilobytes=1)
    assert (len(told.text), told.truncated) == (1024, True)


def test_little_is_told_whole():
    told = _output([Output("é".encode(), truncated=False), Output(b"\xff", truncated=False)], kilobytes=1)
    assert (told.text, told.truncated) == ("é\ufffd", False)
