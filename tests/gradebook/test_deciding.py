"""What a person decided survives grading again; what is to be forgotten is gone from the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.gradebook.deciding import Decision, decide, forget, release
from grader.gradebook.history import releases, rulings
from grader.gradebook.policy.model import Policy
from grader.gradebook.policy.work import Kind, Ruling
from grader.gradebook.reports import Written, note_written
from grader.gradebook.runs import note_facts
from grader.gradebook.show import as_data, as_lines, class_of, released
from grader.model.errors import UsageError
from tests.gradebook.toy import Filled, dated, evidence, key


def ruling(
    score: float | None = 9.0, exercise: str = "", kind: Kind = "score", comment: str = "", **more: str
) -> Ruling:
    said = {"author": "prof", "reason": "talked it over"} | more
    return Ruling(exercise, kind, score, comment, said["author"], said["reason"], 5)


@pytest.fixture
def graded(filled: Filled) -> Filled:
    note_facts(filled.book, {"assignment toy": {"exercises": {"toy.double": {"points": 10.0}}}})
    filled.add()
    return filled


def lines(filled: Filled, **policy: object) -> list[str]:
    return list(as_lines(class_of(filled.book, Policy.model_validate(policy))))


def test_a_decision_stands_when_the_work_is_graded_again(graded: Filled) -> None:
    decide(graded.book, Decision("ada", "toy", ruling(comment="well argued")))
    graded.begin()
    graded.add(key(files="f2"), earned=1.0, at=dated(2000))
    assert lines(graded) == [
        "ada  toy    9.00 / 10  2 attempts; all of it decided by prof: 9.00 (talked it over); prof: well argued"
    ]
    assert rulings(graded.book)["ada", "toy"] == [ruling(comment="well argued")]


def test_one_that_is_withdrawn_is_history(graded: Filled) -> None:
    decide(graded.book, Decision("ada", "toy", ruling(exercise="toy.double")))
    decide(graded.book, Decision("ada", "toy", ruling(None, "toy.double", "withdrawn")))
    assert lines(graded) == ["ada  toy    8.00 / 10"]
    assert len(rulings(graded.book)["ada", "toy"]) == 2


@pytest.mark.parametrize(
    ("assignment", "what", "said"),
    [
        ("doll", ruling(), "no assignment 'doll' was graded"),
        ("toy", ruling(exercise="toy.triple"), "no exercise 'toy.triple' in toy"),
        ("toy", ruling(author=" "), "has an author and a reason"),
        ("toy", ruling(reason=""), "has an author and a reason"),
        ("toy", ruling(None, kind="comment"), "nothing was decided"),
        ("toy", ruling(float("inf")), "ada: inf is no score"),
        ("toy", ruling(float("nan")), "ada: nan is no score"),
        ("toy", ruling(-0.5), "ada: -0.5 is no score"),
    ],
)
def test_what_cannot_be_decided_is_refused_and_leaves_nothing(graded: Filled, assignment, what, said) -> None:
    with pytest.raises(UsageError, match=said):
        decide(graded.book, Decision("ada", assignment, what))
    assert rulings(graded.book) == {}


def test_a_release_by_hand_stays_as_it_was_first(graded: Filled) -> None:
    assert released(graded.book, Policy(), 100) == []
    release(graded.book, "toy", "prof", 50)
    release(graded.book, "toy", "other", 99)
    assert releases(graded.book) == {"toy": 50}
    assert released(graded.book, Policy(), 100) == ["toy"]
    with pytest.raises(UsageError, match="no assignment"):
        release(graded.book, "doll", "prof", 1)


def test_a_student_who_is_forgotten_is_nowhere_and_the_others_are_as_they_were(graded: Filled, tmp_path: Path) -> None:
    graded.add(key("zoe-the-forgotten"), found=evidence(message="a word of zoe"))
    decide(graded.book, Decision("zoe-the-forgotten", "toy", ruling(comment="about zoe")))
    note_written(graded.book, tmp_path, "zoe-the-forgotten", Written("i", {}, "line"))
    (tmp_path / "zoe-the-forgotten").mkdir()
    before = graded.book.rows("SELECT * FROM evidence")
    assert forget(graded.book, "zoe-the-forgotten") == [tmp_path / "zoe-the-forgotten"]
    content = b"".join(path.read_bytes() for path in tmp_path.glob("gradebook.db*"))
    assert b"zoe" not in content
    assert b"ada" in content
    assert graded.book.rows("SELECT * FROM evidence") == before[:1]
    assert lines(graded) == ["ada  toy    8.00 / 10"]


def test_somebody_nobody_knows_cannot_be_forgotten(graded: Filled) -> None:
    with pytest.raises(UsageError, match="nothing is known of 'zoe'"):
        forget(graded.book, "zoe")


def test_each_reason_for_a_score_is_told(graded: Filled) -> None:
    due = {"toy": {"due": "1970-01-01T00:00:00Z"}}
    assert lines(graded, assignments=due, late={"percent_per_day": 25}) == [
        "ada  toy    6.00 / 10  earned 8.00; 1 day late"
    ]
    assert lines(graded, assignments=due, bank_days=1) == ["ada  toy    8.00 / 10  1 day late, 1 from the bank"]
    assert lines(graded, assignments=due, late={"cut_off_days": 0}) == ["ada  toy    0.00 / 10  earned 8.00; too late"]
    assert lines(graded, students={"ada": {"excused": ["toy"]}}) == ["ada  toy    0.00 / 10  excused"]
    assert lines(graded, groups=[{"members": ["ada", "bob"], "assignments": ["other"]}])[1:] == [
        "bob  toy    0.00 / 10  nothing handed in"
    ]


def test_several_assignments_come_to_a_total(graded: Filled) -> None:
    note_facts(graded.book, {"assignment doll": {"exercises": {"doll.x": {"points": 5.0}}}})
    assert lines(graded, drop_lowest=1) == [
        "ada  doll     0.00 / 5  nothing handed in; dropped",
        "ada  toy      8.00 / 10",
        "ada  total    8.00 / 10",
    ]


def test_programs_are_told_all_of_it(graded: Filled) -> None:
    decide(graded.book, Decision("ada", "toy", ruling(comment="hm")))
    (shown,) = class_of(graded.book, Policy())
    found = as_data(shown)
    assert (found["student"], found["score"]) == ("ada", 9.0)
    toy = found["assignments"]["toy"]
    assert (toy["decided"], toy["comments"][0]["reason"]) == ({"": 9.0}, "talked it over")
    assert (toy["submitted"], toy["dated_by"], toy["days_late"]) == (1000, "file", 0)


def test_the_points_for_an_answer_in_words_are_a_decision_too(graded: Filled) -> None:
    facts = {"exercises": {"toy.double": {"points": 10.0}}, "by_hand": {"answers.md": 5.0}}
    note_facts(graded.book, {"assignment toy": facts})
    assert lines(graded) == ["ada  toy    8.00 / 10  answers.md waits for a person"]
    decide(graded.book, Decision("ada", "toy", ruling(4.0, "answers.md")))
    assert lines(graded) == ["ada  toy   12.00 / 15  answers.md decided by prof: 4.00 (talked it over)"]
