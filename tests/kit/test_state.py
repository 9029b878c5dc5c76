from __future__ import annotations

import json

import pytest

from grader.kit.state import Kept, State


def test_what_is_noted_is_there_the_next_time(tmp_path) -> None:
    kept = Kept(tmp_path)
    kept.state.note("toy.one", "a", passed=True)
    kept.state.current = "toy.two"
    kept.state.one_more_hint("toy.two")
    kept.save()
    again = Kept(tmp_path)
    assert again.state == kept.state
    assert again.trouble is None
    assert json.loads(again.path.read_text("utf-8"))["finished"] == ["toy.one"]


def test_an_exercise_that_was_finished_and_fails_is_told_once_and_stays_among_the_lost_until_it_passes() -> None:
    state = State()
    assert not state.note("toy.one", "a", passed=False)
    assert state.lost == []
    state.note("toy.one", "a", passed=True)
    assert state.note("toy.one", "a", passed=False)
    assert not state.note("toy.one", "a", passed=False)
    assert (state.finished, state.lost) == ([], ["toy.one"])
    state.note("toy.one", "a", passed=True)
    assert (state.finished, state.lost) == (["toy.one"], [])


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"version": 2}', b'{"finished": 3}', b"\xff\xfe"])
def test_a_state_that_cannot_be_read_is_begun_anew_and_said_so(tmp_path, content: bytes) -> None:
    (tmp_path / ".rowwise").mkdir()
    (tmp_path / ".rowwise" / "state.json").write_bytes(content)
    kept = Kept(tmp_path)
    assert kept.state == State()
    assert "counted anew" in str(kept.trouble)
    kept.save()
    assert Kept(tmp_path).trouble is None


def test_there_are_three_hints_and_no_fourth() -> None:
    state = State()
    assert [state.one_more_hint("toy.one") for _ in range(5)] == [1, 2, 3, 3, 3]


def test_what_was_last_run_on_other_code_is_owed_a_run() -> None:
    state = State()
    state.note("toy.one", "a", passed=True)
    state.note("toy.two", "a", passed=False)
    state.finished.append("toy.three")  # nobody knows on which code
    assert state.owed({"toy.one": "b", "toy.two": "b", "toy.three": "b"}) == ["toy.one"]
    assert state.owed({"toy.one": "a", "toy.two": "a"}) == []
