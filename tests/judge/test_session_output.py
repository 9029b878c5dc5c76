from __future__ import annotations

from grader.judge.session import _output
from grader.sandbox.base import Output


def test_what_many_workers_printed_is_cut_like_what_one_did():
    told = _output([Output(b"a" * 800, truncated=False)] * 3, kilobytes=1)
    assert told.text == "a" * 1024 + "\n[cut here: the limit is 1 KiB of output]\n"
    assert told.truncated


def test_what_one_worker_had_cut_off_is_noted():
    told = _output([Output(b"a" * 10, truncated=True)], kilobytes=1)
    assert told.text.endswith("[cut here: the limit is 1 KiB of output]\n")


def test_little_is_told_whole():
    told = _output([Output("é".encode(), truncated=False), Output(b"\xff", truncated=False)], kilobytes=1)
    assert (told.text, told.truncated) == ("é\ufffd", False)
