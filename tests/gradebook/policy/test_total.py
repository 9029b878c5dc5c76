from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from grader.gradebook.policy.final import Final
from grader.gradebook.policy.total import Total, total, with_lowest_dropped


def final(name: str, score: float, points: float = 10, **more: bool) -> Final:
    return Final(name, Fraction(points), Fraction(score), Fraction(score), **more)


def dropped(finals: list[Final], number: int) -> list[str]:
    return [each.assignment for each in with_lowest_dropped(finals, number) if each.dropped]


def test_the_lowest_by_part_of_the_points_is_dropped() -> None:
    assert dropped([final("a", 9, 100), final("b", 1, 10), final("c", 5)], 1) == ["a"]
    assert dropped([final("a", 9), final("b", 1), final("c", 5)], 2) == ["b", "c"]


def test_of_several_that_are_as_low_the_one_with_the_most_points_goes() -> None:
    assert dropped([final("a", 0, 10), final("b", 0, 20)], 1) == ["b"]


def test_one_at_least_counts_and_what_is_excused_or_on_top_is_not_dropped() -> None:
    some = [final("a", 5), final("b", 0, excused=True), final("c", 0, bonus=True)]
    assert dropped(some, 3) == []
    assert dropped([], 1) == []


def test_what_is_on_top_counts_and_is_not_asked_for() -> None:
    some = [final("a", 5), final("b", 3, bonus=True), final("c", 0, excused=True)]
    assert total(some) == Total(Fraction(8), Fraction(10))


def test_what_is_dropped_is_neither_counted_nor_asked_for() -> None:
    assert total(with_lowest_dropped([final("a", 5), final("b", 3)], 1)) == Total(Fraction(5), Fraction(10))


scored = st.builds(lambda points, part: (points, points * part), st.integers(1, 50), st.fractions(0, 1))


@given(st.lists(scored, min_size=1, max_size=6), st.integers(0, 6))
def test_dropping_the_lowest_never_lowers_the_part_that_was_reached(made, number: int) -> None:
    finals = [Final(str(n), Fraction(points), score, score) for n, (points, score) in enumerate(made)]
    before, after = total(finals), total(with_lowest_dropped(finals, number))
    assert after.score / after.points >= before.score / before.points
