from __future__ import annotations

import pytest

from grader.gradebook.policy.model import Policy
from grader.gradebook.policy.release import is_released

AT = Policy.model_validate({"assignments": {"x": {"release": "1970-01-01T00:16:40Z"}}})


@pytest.mark.parametrize(("now", "seen"), [(999, False), (1000, True), (1001, True)])
def test_from_the_very_second_on(now: int, *, seen: bool) -> None:
    assert is_released(AT, "x", now, None) is seen


@pytest.mark.parametrize(("now", "seen"), [(499, False), (500, True)])
def test_by_hand_before_the_time_or_without_one(now: int, *, seen: bool) -> None:
    assert is_released(AT, "x", now, 500) is seen
    assert is_released(Policy(), "x", now, 500) is seen


def test_without_a_time_and_a_hand_never() -> None:
    assert not is_released(Policy(), "x", 2**40, None)
