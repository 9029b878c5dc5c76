from __future__ import annotations

import pytest

from grader.export.grade import grades
from grader.gradebook.deciding import Decision, decide
from grader.gradebook.place import opened
from grader.gradebook.policy.work import Ruling
from grader.gradebook.runs import note_facts
from grader.graded.read import read_class
from tests.export import classes
from tests.graded import made


def graded(folder, scores, policy="", *reports):
    """What is exported of a class with these scores of 10."""
    told = reports or [made.report(name, made.exercise(score=score)) for name, score in scores.items()]
    made.folder(folder, *told)
    classes.counted(folder, scores, policy)
    return folder, lambda: {grade.id: grade for grade in classes.again(folder)}


def ruled(folder, kind="score", score=6.25, exercise="", comment=""):
    with opened(folder) as book:
        decide(book, Decision("ada", "toy", Ruling(exercise, kind, score, comment, "eva", "because", 9)))


def test_without_a_gradebook_what_was_earned_counts(tmp_path):
    (grade,) = classes.exported(tmp_path, classes.two("ada", 4.9, 2.45))
    assert (grade.score, grade.points, grade.fault) == (7.35, 10.0, False)


def test_lateness_counts(tmp_path):
    late = "[late]\npercent_per_day = 10\n[assignments.toy]\ndue = 1970-01-01T00:00:00\n"
    _, told = graded(tmp_path, {"ada": 8.05}, late)
    assert told()["ada"].score == 7.25  # 7.245, halves up as the gradebook shows it


def test_a_decision_counts_for_the_exercise_and_the_whole(tmp_path):
    folder, told = graded(tmp_path, {"ada": 8.0})
    ruled(folder, exercise="toy.double")
    grade = told()["ada"]
    assert grade.score == 6.25
    assert [each.score for each in grade.exercises] == [6.25]


def test_a_comment_is_for_the_student_and_the_reason_is_not(tmp_path):
    folder, told = graded(tmp_path, {"ada": 8.0})
    ruled(folder, kind="comment", score=None, comment="well done")
    (part,) = told()["ada"].parts
    assert part.comments == ["well done"]
    assert "because" not in repr(part)


def test_a_fault_of_ours_is_no_score_though_the_gradebook_knows_an_earlier_attempt(tmp_path):
    _, told = graded(tmp_path, {"ada": 8.0}, "", classes.fault("ada"))
    grade = told()["ada"]
    assert grade.fault
    assert grade.score is None


def test_a_fault_of_ours_is_no_0_where_the_gradebook_knows_nothing_of_it(tmp_path):
    folder, told = graded(tmp_path, {"bo": 8.0}, "", classes.fault("ada"), made.report("bo"))
    ruled(folder, kind="comment", score=None, comment="wait")
    assert told()["ada"].score is None


def test_a_person_may_decide_what_we_could_not(tmp_path):
    folder, told = graded(tmp_path, {"bo": 8.0}, "", classes.fault("ada"), made.report("bo"))
    ruled(folder)
    grade = told()["ada"]
    assert (grade.score, grade.fault) == (6.25, False)


def test_what_a_gradebook_knows_nothing_of_counts_as_it_was_graded(tmp_path):
    _, told = graded(tmp_path, {"bo": 8.0}, "", made.report("ada", made.exercise(score=4.0)), made.report("bo"))
    assert told()["ada"].score == 4.0


def test_a_partner_who_handed_in_nothing_has_what_the_team_has(tmp_path):
    _, told = graded(tmp_path, {"ada": 8.0}, '[[groups]]\nmembers = ["ada", "bo"]\n')
    assert told()["bo"].score == 8.0


def test_nobody_is_there_for_whom_nothing_counts(tmp_path):
    _, told = graded(tmp_path, {"ada": 8.0}, '[[groups]]\nmembers = ["ada", "bo"]\nassignments = ["other"]\n')
    assert list(told()) == ["ada"]


def test_who_is_excused_has_no_score_and_no_points(tmp_path):
    _, told = graded(tmp_path, {"ada": 8.0}, '[students.ada]\nexcused = ["toy"]\n')
    grade = told()["ada"]
    assert (grade.excused, grade.score, grade.points, grade.fault) == (True, None, 0.0, False)


@pytest.mark.parametrize(
    ("wanted", "score", "points"), [(["a", "b"], 3.0, 10.0), (["a"], 1.0, 10.0), (["b"], 3.0, 10.0)]
)
def test_the_lowest_is_dropped_from_a_sum_and_not_where_it_stands_alone(wanted, score, points, tmp_path):
    reports = [made.report("ada", made.exercise("a.x", 1.0), made.exercise("b.x", 3.0))]
    made.folder(tmp_path, *reports)
    book = classes.Filled(tmp_path / "gradebook.db")
    for name, earned in (("a", 1.0), ("b", 3.0)):
        book.add(classes.key("ada", name, assignment=name), earned)
    with book.book:
        facts = {f"assignment {name}": {"exercises": {"toy.double": {"points": 10.0}}} for name in "ab"}
        classes.note_facts(book.book, facts)
    (tmp_path / "policy.toml").write_text("drop_lowest = 1\n", encoding="utf-8")
    (grade,) = grades(read_class(tmp_path), wanted)
    assert (grade.score, grade.points) == (score, points)


def test_only_what_is_wanted_is_told_of(tmp_path):
    made.folder(tmp_path, made.report("ada", made.exercise("a.x", 1.0), made.exercise("b.x", 3.0)))
    (grade,) = grades(read_class(tmp_path), ["b"])
    assert [part.id for part in grade.parts] == ["b"]
    assert grade.score == 3.0


def test_hundredths_add_up(tmp_path):
    parts = [made.exercise(f"{name}.x", 0.1) for name in "abc"]
    (grade,) = classes.exported(tmp_path, made.report("ada", *parts))
    assert grade.score == 0.3


def test_in_other_points_than_it_was_graded_in_it_is_out_of_those_that_it_counts_in(tmp_path):
    _, told = graded(tmp_path, {"ada": 8.0}, "", made.report("ada", made.exercise(score=80.0, points=100.0)))
    grade = told()["ada"]
    assert (grade.score, grade.points) == (8.0, 10.0)


def test_points_that_a_person_gave_for_an_answer_in_words_count_with_what_it_is_worth(tmp_path):
    folder, told = graded(tmp_path, {"ada": 8.0})
    with opened(folder) as book:
        facts = {"exercises": {"toy.double": {"points": 10.0}}, "by_hand": {"answers.md": 5.0}}
        note_facts(book, {"assignment toy": facts})
    assert (told()["ada"].score, told()["ada"].points) == (8.0, 10.0)
    ruled(folder, exercise="answers.md", score=4.5, comment="well said")
    grade = told()["ada"]
    assert (grade.score, grade.points) == (12.5, 15.0)
    assert grade.parts[0].comments == ["well said"]
