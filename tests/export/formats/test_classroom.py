"""By what autograding-grading-reporter does with a runner's result."""

from __future__ import annotations

import json

import pytest

from grader.export.base import Options
from grader.export.formats import classroom
from tests.export import classes
from tests.graded import made


def result(folder):
    (grade,) = classes.again(folder)
    return json.loads(classroom.render(grade, Options()))


def reported(found):
    """The points that the reporter tells the classroom of: of a runner with `max_score`, the sum of its tests' scores."""
    return (sum(test["score"] for test in found["tests"]), found["max_score"]) if found["max_score"] else None


def test_each_exercise_is_a_test_with_its_own_score(tmp_path):
    classes.exported(tmp_path, classes.two("ada", 4.5, 3.0))
    found = result(tmp_path)
    assert [(test["status"], test["score"]) for test in found["tests"]] == [("fail", 4.5), ("pass", 3.0)]
    assert reported(found) == (7.5, 10)
    assert found["status"] == "fail"


def test_lateness_is_a_test_of_its_own_so_that_the_sum_is_what_counts(tmp_path):
    classes.exported(tmp_path, classes.two("ada", 5.0, 3.0))
    late = "[late]\npercent_per_day = 25\n[assignments.toy]\ndue = 1970-01-01T00:00:00\n"
    classes.counted(tmp_path, {"ada": 8.0}, late)
    found = result(tmp_path)
    assert reported(found) == (6.0, 10)
    assert found["tests"][-1]["score"] == -2.0
    assert "days late: 1" in found["tests"][-1]["message"]


def test_a_fault_of_ours_reports_no_points(tmp_path):
    classes.exported(tmp_path, classes.fault())
    found = result(tmp_path)
    assert reported(found) is None
    assert found["status"] == "error"
    assert not any("score" in test for test in found["tests"])


def test_the_status_is_pass_where_all_passed(tmp_path):
    classes.exported(tmp_path, classes.two("ada", 7.0, 3.0))
    assert result(tmp_path)["status"] == "pass"


def test_the_reporter_prints_what_was_wrong_and_where(tmp_path):
    (grade,) = classes.exported(tmp_path, classes.wrong())
    told = json.loads(classroom.render(grade, Options(exercises=classes.toy_course())))["tests"]
    assert [test["line_no"] for test in told] == [1, 5]
    # Of a test that failed it prints nothing else, and a line number unless that is 0.
    assert "Your double adds 2." in told[0]["test_code"]
    (right,) = classes.exported(tmp_path / "right", made.report("bo"))
    assert (
        json.loads(classroom.render(right, Options()))["tests"][0] | {"line_no": 0, "test_code": ""}
        == (json.loads(classroom.render(right, Options()))["tests"][0])
    )


@pytest.mark.parametrize("parts", [(4.9, 2.45), (0.1, 0.2), (7.0, 0.01), (3.33, 0.0), (0.0, 0.0)])
def test_the_sum_is_the_score_to_the_last_digit(parts, tmp_path):
    classes.exported(tmp_path, classes.two("ada", *parts))
    assert reported(result(tmp_path)) == (round(sum(parts), 2), 10)
