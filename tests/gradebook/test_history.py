"""The class as it is now, in the points of now, and as it was after each run."""

from __future__ import annotations

from grader.gradebook.diff import changes
from grader.gradebook.history import known_of, standings, students
from grader.gradebook.keeping import keep
from grader.gradebook.results import Key, Result, Score
from grader.gradebook.runs import note_facts
from grader.gradebook.told import as_lines
from tests.gradebook.toy import Filled, dated, key


def worth(filled: Filled, **exercises: float) -> None:
    each = {f"toy.{name}": {"points": points} for name, points in exercises.items()}
    note_facts(filled.book, {"assignment toy": {"exercises": each}, "course key": "0"})


def scored(filled: Filled, which: Key, at: int = 1000, **exercises: tuple[float, float]) -> None:
    each = {
        f"toy.{name}": {"status": "passed" if earned == points else "failed", "score": earned, "points": points}
        for name, (earned, points) in exercises.items()
    }
    earned, points = (sum(pair[place] for pair in exercises.values()) for place in (0, 1))
    keep(filled.book, filled.run, [Result(which, None, Score("partial", earned, points, each))], dated(at, "roster"))


def test_what_was_handed_in_before_the_points_changed_is_in_the_points_of_now(filled: Filled) -> None:
    scored(filled, key(), a=(10, 10), b=(3, 6))
    worth(filled, a=20, b=3, c=5)
    (attempt,) = known_of(filled.book).attempts["ada", "toy"]
    assert (attempt.score, attempt.points) == (21.5, 28)
    assert attempt.exercises == {"toy.a": 20, "toy.b": 1.5, "toy.c": 0}


def test_where_the_points_are_the_same_a_score_is_taken_as_it_is(filled: Filled) -> None:
    scored(filled, key(), a=(3.33, 10))
    worth(filled, a=10)
    assert known_of(filled.book).attempts["ada", "toy"][0].score == 3.33


def test_attempts_are_in_the_order_in_which_they_were_handed_in(filled: Filled) -> None:
    worth(filled, a=10)
    scored(filled, key(files="late"), 2000, a=(9, 10))
    scored(filled, key(files="early"), 1000, a=(5, 10))
    assert [each.score for each in known_of(filled.book).attempts["ada", "toy"]] == [5, 9]


def test_everybody_is_there_and_who_is_in_a_group_of_somebody(filled: Filled) -> None:
    scored(filled, key("bob"), a=(1, 1))
    assert students(filled.book, [["bob", "ann"], ["cyd", "dee"]]) == ["ann", "bob"]


def test_each_run_is_remembered(filled: Filled) -> None:
    scored(filled, key(), a=(5, 10))
    first = filled.run
    filled.begin()
    scored(filled, key(), a=(6, 10))
    scored(filled, key("bob"), a=(1, 10))
    assert [each.attempt.score for each in standings(filled.book, first)] == [5]
    assert sorted(each.attempt.score for each in standings(filled.book)) == [1, 6]


def test_between_two_runs_scores_exercises_and_students_differ(filled: Filled) -> None:
    scored(filled, key(), a=(5, 10), b=(1, 1))
    scored(filled, key("bob"), a=(5, 10))
    before = standings(filled.book)
    scored(filled, key(files="f2"), 2000, a=(10, 10), c=(2, 2))
    scored(filled, key("cyd"), a=(1, 10))
    found = changes(before, standings(filled.book))
    assert [line for each in found for line in as_lines(each)] == [
        "ada  toy  6.00 / 11 (partial) -> 12.00 / 12 (partial)",
        "    toy.a: failed -> passed",
        "    toy.b: passed -> absent",
        "    toy.c: absent -> passed",
        "cyd  toy  nothing -> 1.00 / 10 (partial)",
    ]


def test_what_is_the_same_is_no_difference(filled: Filled) -> None:
    scored(filled, key(), a=(5, 10))
    before = standings(filled.book)
    filled.begin()
    scored(filled, key(), a=(5, 10))
    assert changes(before, standings(filled.book)) == []
