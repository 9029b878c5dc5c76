"""A policy is read as it was meant, in the time zone that it was meant in, or refused."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import ValidationError

from grader.course.toml import load_toml
from grader.gradebook.policy.model import Policy
from grader.model.errors import CourseError

WHOLE = """
timezone = "Asia/Taipei"
attempts = "best"
bank_days = 3
drop_lowest = 1

[late]
grace_minutes = 10
percent_per_day = 10
cut_off_days = 5

[assignments.attention]
due = 2026-10-01T23:59:00
cap = 110
release = 2026-10-09T08:00:00Z

[assignments.attention.late]
percent_per_day = 50

[students.ada]
excused = ["masking"]
extensions = { attention = 2026-10-03T23:59:00+09:00 }
bonus = { attention = 2.5 }

[[groups]]
members = ["ada", "bob"]
assignments = ["masking"]
"""


def utc(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp())


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    (tmp_path / "policy.toml").write_text(WHOLE, encoding="utf-8")
    return load_toml(tmp_path / "policy.toml", Policy, "policy")


def test_a_time_without_a_zone_is_the_courses_and_one_with_a_zone_is_its_own(policy: Policy) -> None:
    assert policy.due("bob", "attention") == utc(2026, 10, 1, 15, 59)
    assert policy.due("ada", "attention") == utc(2026, 10, 3, 14, 59)
    assert policy.due("bob", "masking") is None


def test_an_assignment_has_its_own_late_policy_or_the_courses(policy: Policy) -> None:
    assert policy.late_for("attention").percent_per_day == 50
    assert policy.late_for("masking").percent_per_day == 10


def test_a_group_hands_in_together_where_it_says_so(policy: Policy) -> None:
    assert policy.team("bob", "masking") == ["ada", "bob"]
    assert policy.team("bob", "attention") == ["bob"]
    assert policy.team("cyd", "masking") == ["cyd"]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        # Summer time ends in Berlin on 25 October at 3:00: 2:30 is there twice, and the later one is due.
        (datetime(2026, 10, 25, 2, 30), (2026, 10, 25, 1, 30)),  # noqa: DTZ001 - such as TOML has
        (datetime(2026, 10, 25, 1, 59, 59), (2026, 10, 24, 23, 59, 59)),  # noqa: DTZ001
        # It begins on 29 March at 2:00: 2:30 is never there, and nobody has less time for it.
        (datetime(2026, 3, 29, 2, 30), (2026, 3, 29, 1, 30)),  # noqa: DTZ001
        (datetime(2026, 3, 29, 3, 0), (2026, 3, 29, 1, 0)),  # noqa: DTZ001
        (datetime(2026, 3, 29, 1, 59, 59), (2026, 3, 29, 0, 59, 59)),  # noqa: DTZ001
    ],
)
def test_where_clocks_change_a_due_time_is_the_later_one(when: datetime, expected: tuple[int, ...]) -> None:
    assert Policy(timezone="Europe/Berlin").instant(when) == utc(*expected)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('timezone = "Mars/Olympus"', "there is no time zone 'Mars/Olympus'"),
        ('timezone = "../../etc/passwd"', "there is no time zone"),
        ("[late]\npercent = 3", "did you mean `percent_per_day`?"),
        ("[late]\npercent_per_day = 101", "less than or equal to 100"),
        ('[[groups]]\nmembers = ["a", "a"]', "'a' is twice in one group"),
        ('[[groups]]\nmembers = ["a", "b"]\n[[groups]]\nmembers = ["b", "c"]', "'b' is in two groups"),
        ("[students.ada.bonus]\nattention = nan", "finite number"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_remedy(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "policy.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError) as caught:
        load_toml(tmp_path / "policy.toml", Policy, "policy")
    assert said in str(caught.value)
    assert "grader schema policy" in caught.value.hint


def test_groups_that_work_on_different_things_may_share_members() -> None:
    groups = [{"members": ["a", "b"], "assignments": ["x"]}, {"members": ["b", "c"], "assignments": ["y"]}]
    assert Policy.model_validate({"groups": groups}).team("b", "y") == ["b", "c"]
    with pytest.raises(ValidationError, match="two groups"):
        Policy.model_validate({"groups": [*groups, {"members": ["b", "d"]}]})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[assignments.toy]\ndeu = 2026-10-01T23:59:00\n", "unknown key `assignments.toy.deu`; did you mean `due`?"),
        ("[assignments.due]\ndeu = 2026-10-01T23:59:00\n", "unknown key `assignments.due.deu`; did you mean `due`?"),
        ("[assignments.students]\nzzz = 1\n", "unknown key `assignments.students.zzz`; known here: "),
        ("[students.ada]\nextension = 1\n", "unknown key `students.ada.extension`; did you mean `extensions`?"),
        ("[students.ada.bonuss]\ntoy = 1\n", "unknown key `students.ada.bonuss`; did you mean `bonus`?"),
    ],
)
def test_a_mistyped_key_in_the_table_of_an_assignment_or_a_student_is_told_with_the_right_one(tmp_path, text, said):
    (tmp_path / "policy.toml").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError) as caught:
        load_toml(tmp_path / "policy.toml", Policy, "policy")
    assert said in str(caught.value)
