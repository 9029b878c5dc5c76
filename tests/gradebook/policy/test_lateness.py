"""The boundary second belongs to the student; a day that has begun counts; nothing earns more by being later."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.gradebook.policy.lateness import DAY, IN_TIME, Lateness, lateness
from grader.gradebook.policy.model import LatePolicy

DUE = 1_000_000
TEN = LatePolicy(percent_per_day=10)


@pytest.mark.parametrize(
    ("after", "days", "factor"),
    [
        (-1, 0, Fraction(1)),
        (0, 0, Fraction(1)),
        (1, 1, Fraction(9, 10)),
        (DAY, 1, Fraction(9, 10)),
        (DAY + 1, 2, Fraction(8, 10)),
        (10 * DAY, 10, Fraction(0)),
        (11 * DAY, 11, Fraction(0)),
    ],
)
def test_the_due_second_is_in_time_and_each_day_begun_counts(after: int, days: int, factor: Fraction) -> None:
    found = lateness(DUE + after, DUE, TEN)
    assert (found.days, found.factor) == (days, factor)


def test_the_last_second_of_the_grace_is_in_time_and_the_next_is_late_from_the_due_time_on() -> None:
    policy = LatePolicy(percent_per_day=10, grace_minutes=5)
    assert lateness(DUE + 300, DUE, policy) == IN_TIME
    assert lateness(DUE + 301, DUE, policy) == Lateness(301, 1, 0, Fraction(9, 10))


@pytest.mark.parametrize(("after", "cut"), [(2 * DAY, False), (2 * DAY + 1, True)])
def test_the_last_second_before_the_cut_off_is_taken(after: int, *, cut: bool) -> None:
    found = lateness(DUE + after, DUE, LatePolicy(percent_per_day=10, cut_off_days=2), bank=9)
    assert (found.cut_off, found.factor == 0, found.from_bank) == (cut, cut, 0 if cut else 2)


def test_a_cut_off_of_half_a_day_is_twelve_hours() -> None:
    policy = LatePolicy(cut_off_days=0.5)
    assert not lateness(DUE + DAY // 2, DUE, policy).cut_off
    assert lateness(DUE + DAY // 2 + 1, DUE, policy).cut_off


def test_the_bank_pays_for_days_as_long_as_it_lasts() -> None:
    assert lateness(DUE + 3 * DAY, DUE, TEN, bank=2) == Lateness(3 * DAY, 3, 2, Fraction(9, 10))
    assert lateness(DUE + DAY, DUE, TEN, bank=2) == Lateness(DAY, 1, 1, Fraction(1))
    assert lateness(DUE + DAY, DUE, LatePolicy(percent_per_day=10, bank=False), bank=2).from_bank == 0


def test_what_has_no_due_time_is_never_late() -> None:
    assert lateness(2**60, None, TEN) == IN_TIME


def test_a_tenth_of_a_percent_is_exact() -> None:
    assert lateness(DUE + 3 * DAY, DUE, LatePolicy(percent_per_day=0.1)).factor == Fraction(997, 1000)


policies = st.builds(
    LatePolicy,
    grace_minutes=st.integers(0, 3000),
    percent_per_day=st.integers(0, 100),
    cut_off_days=st.none() | st.integers(0, 9),
)
times = st.integers(DUE - DAY, DUE + 12 * DAY)


@given(policies, times, times, st.integers(0, 5))
def test_later_is_never_better(policy: LatePolicy, one: int, other: int, bank: int) -> None:
    earlier, later = (lateness(time, DUE, policy, bank) for time in sorted((one, other)))
    assert 0 <= later.factor <= earlier.factor <= 1


@given(policies, times, st.integers(0, 5))
def test_a_day_more_in_the_bank_never_harms_and_no_more_is_taken_than_is_there(policy, time, bank) -> None:
    with_less, with_more = lateness(time, DUE, policy, bank), lateness(time, DUE, policy, bank + 1)
    assert with_more.factor >= with_less.factor
    assert 0 <= with_less.from_bank <= min(bank, with_less.days)
