from __future__ import annotations

import pytest

from grader.export.base import Options
from grader.export.text import about, overall, seen, telling
from grader.export.words import WORDS
from grader.model.verdict import Status, Suite
from tests.export import classes
from tests.graded import made

ODD = made.raised("ValueError", "odd", "toy.py", 2)


def exercise(tmp_path, **more):
    report = classes.with_files(made.report("ada", made.exercise(score=0.0, **more)))
    (grade,) = classes.exported(tmp_path, report)
    return grade, next(grade.exercises)


def test_the_verdict_comes_first_and_the_counts_last(tmp_path):
    tests = [made.tried("a"), made.tried("b", Status.FAILED, "b is wrong"), made.tried("c", suite=Suite.HIDDEN)]
    grade, found = exercise(tmp_path, tests=tests)
    assert about(found, grade, Options()) == [
        "failed",
        "b: b is wrong",
        "1 of 2 visible tests passed",
        "1 of 1 hidden tests passed",
    ]


def test_each_thing_that_was_seen_is_told_once_and_three_at_most(tmp_path):
    messages = ["x", "x", "y", "z", "v", "w"]
    tests = [made.tried(f"t{n}", Status.FAILED, said) for n, said in enumerate(messages)]
    _, found = exercise(tmp_path, tests=tests)
    assert seen(found, Options()) == ["t0: x", "t2: y", "t3: z", "and 2 more"]


def test_a_line_that_raised_is_told_once_by_the_visible_test(tmp_path):
    tests = [
        made.tried("deep", Status.FAILED, "hidden", Suite.HIDDEN, error=ODD),
        made.tried("seen", Status.FAILED, "ValueError: odd", error=ODD),
    ]
    _, found = exercise(tmp_path, tests=tests)
    assert [test.name for test in telling(found)] == ["visible/test_toy.py::seen"]


def test_of_a_hidden_test_only_the_students_own_line_is_told(tmp_path):
    _, found = exercise(tmp_path, tests=[made.tried("deep", Status.FAILED, "hidden", Suite.HIDDEN, error=ODD)])
    assert seen(found, Options()) == ["ValueError in toy.py, line 2"]


def test_what_passed_with_right_answers_for_others_was_not_seen_to_be_wrong(tmp_path):
    _, found = exercise(tmp_path, status=Status.PASSED, tests=[made.tried("a", Status.FAILED, "wrong")])
    assert seen(found, Options()) == []


def test_what_the_exercise_says_is_not_said_by_its_tests_again(tmp_path):
    tests = [made.tried("a", Status.IMPORT_ERROR, "toy.py is missing")]
    grade, found = exercise(tmp_path, status=Status.IMPORT_ERROR, message="toy.py is missing", tests=tests)
    assert about(found, grade, Options()).count("toy.py is missing") == 1


def test_a_message_of_many_lines_looks_like_no_verdict(tmp_path):
    _, found = exercise(tmp_path, tests=[made.tried("a", Status.FAILED, "one\npassed")])
    assert seen(found, Options()) == ["a: one\n    passed"]


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (
            "[late]\npercent_per_day = 10\n[assignments.toy]\ndue = 1970-01-01T00:00:00\n",
            ["earned 8.00", "days late: 1"],
        ),
        (
            "[late]\ncut_off_days = 0\n[assignments.toy]\ndue = 1970-01-01T00:00:00\n",
            ["earned 8.00", "Handed in too late"],
        ),
        ('[students.ada]\nexcused = ["toy"]\n', ["not asked of you"]),
    ],
)
def test_why_it_counts_what_it_counts_is_told(policy, said, tmp_path):
    made.folder(tmp_path, made.report("ada", made.exercise(score=8.0)))
    classes.counted(tmp_path, {"ada": 8.0}, policy)
    (grade,) = classes.again(tmp_path)
    found = "\n".join(overall(grade, Options()))
    assert all(each in found for each in said)


def test_both_languages_have_the_same_gaps():
    english, chinese = (vars(words) for words in WORDS.values())
    for key, phrase in english.items():
        if isinstance(phrase, str):
            assert phrase.count("{") == chinese[key].count("{"), key
            assert phrase != chinese[key]
    assert english["statuses"].keys() == chinese["statuses"].keys() == {*Status}
