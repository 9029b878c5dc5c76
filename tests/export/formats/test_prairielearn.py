"""By PrairieLearn's reference of external grading results."""

from __future__ import annotations

import json

from grader.export.base import Options
from grader.export.formats import prairielearn
from grader.model.verdict import Status
from tests.export import classes
from tests.graded import made


def results(tmp_path, report):
    (grade,) = classes.exported(tmp_path, report)
    return json.loads(prairielearn.render(grade, Options()))


def test_the_score_is_a_part_between_0_and_1(tmp_path):
    assert results(tmp_path, classes.two("ada", 4.9, 2.6))["score"] == 0.75


def test_more_than_all_points_is_1_and_told_in_words(tmp_path):
    classes.exported(tmp_path, classes.two("ada", 7.0, 3.0))
    classes.counted(tmp_path, {"ada": 10.0}, "[students.ada]\nbonus = { toy = 2.5 }\n")
    (grade,) = classes.again(tmp_path)
    found = json.loads(prairielearn.render(grade, Options()))
    assert found["score"] == 1
    assert "12.50 / 10" in found["message"]


def test_a_fault_of_ours_gives_the_attempt_back(tmp_path):
    found = results(tmp_path, classes.fault())
    assert found["gradable"] is False
    assert "score" not in found


def test_every_test_has_points_or_none_would_be_shown(tmp_path):
    tests = results(tmp_path, classes.wrong())["tests"]
    assert all({"points", "max_points"} <= test.keys() for test in tests)


def test_a_file_of_more_than_a_megabyte_is_cut_and_keeps_its_scores(tmp_path):
    said = [made.tried(f"test_{n}", Status.FAILED, f"{n} " + "x" * 9_000) for n in range(3)]
    report = made.report("ada", *(made.exercise(f"toy.e{n}", 1.25, tests=said) for n in range(90)))
    (grade,) = classes.exported(tmp_path, report)
    text = prairielearn.render(grade, Options())
    assert len(text.encode()) <= 1_000_000
    assert [test["points"] for test in json.loads(text)["tests"]] == [1.25] * 90
    assert "x ..." in text


def test_nothing_is_in_it_that_the_reference_does_not_name(tmp_path):
    found = results(tmp_path, classes.wrong())
    assert found.keys() <= {"score", "gradable", "format_errors", "message", "output", "images", "tests"}
    named = {"name", "description", "points", "max_points", "message", "output", "images"}
    assert all(test.keys() <= named for test in found["tests"])
