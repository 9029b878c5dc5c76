"""In which language a test tells what it saw, and when a `return` may be missing."""

from __future__ import annotations

# ruff: noqa: RUF001  # Chinese punctuation
import numpy as np
import pytest

from grader.testing import assert_answer, assert_close, assert_row_stochastic
from grader.testing.structure import as_array, describe
from grader.testing.student import Cause
from grader.testing.telling import Telling, note_returned, tell
from tests.testing.apart import apart

CHINESE = Telling("zh-TW")


def said(call, *args, **kwargs) -> str:
    with pytest.raises(AssertionError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


def test_a_message_is_told_in_the_language_that_is_asked_for():
    @apart
    def in_chinese():
        tell(CHINESE)
        assert said(as_array, np.zeros(2), shape=(3,)) == "結果 的形狀是 (2,)，應為 (3,)"
        assert said(assert_close, np.ones(2), np.zeros(2), what="Z").startswith(
            "Z：2 個元素中有 2 個不同；第一個在 [0]：得到 1，應為 0；最大絕對誤差 1"
        )
        assert said(assert_row_stochastic, np.eye(2) * 2) == "權重：你的橫列總和是 [2, 2]，每個橫列都應為 1"
        assert said(assert_answer, [2, 1], [1, 2], "own.q") == "own.q：[2, 1] 的各軸大小都對，但軸的順序不對"
        assert str(Cause(("ValueError",), "no", "toy.py", 2)) == "ValueError: no（toy.py，第 2 行）"

    in_chinese()
    assert said(as_array, np.zeros(2), shape=(3,)) == "the result has shape (2,), expected (3,)"


@apart
def test_a_return_is_said_to_be_missing_only_where_a_call_returned_none():
    tell(Telling())
    assert describe(None) == "None"
    note_returned(None)
    assert describe(None) == "None (is a `return` missing?)"
    note_returned({"loss": None})
    assert describe(None) == "None"
