"""By Gradescope's specification of results.json."""

from __future__ import annotations

import json

from grader.export.base import Options
from grader.export.formats import gradescope
from tests.export import classes


def results(tmp_path, *reports, **options):
    return [json.loads(gradescope.render(grade, Options(**options))) for grade in classes.exported(tmp_path, *reports)]


def test_every_exercise_is_a_test_with_its_points(tmp_path):
    (found,) = results(tmp_path, classes.two("ada", 4.9, 3.0))
    assert [(test["number"], test["score"], test["max_score"], test["status"]) for test in found["tests"]] == [
        ("1.1", 4.9, 7.0, "failed"),
        ("1.2", 3.0, 3.0, "passed"),
    ]
    assert found["score"] == 7.9


def test_without_a_score_there_is_none_in_any_test_either(tmp_path):
    (found,) = results(tmp_path, classes.fault())
    assert "score" not in found
    assert "tests" not in found
    assert "not your fault" in found["output"]


def test_no_test_is_hidden_for_then_a_student_would_not_see_the_total(tmp_path):
    found = results(tmp_path, classes.wrong(), classes.marked())
    assert {each["visibility"] for each in found} == {"visible"}
    assert not any("visibility" in test for each in found for test in each.get("tests", []))


def test_what_a_student_wrote_is_shown_as_text_and_never_as_a_page(tmp_path):
    (found,) = results(tmp_path, classes.hostile())
    formats = {value for key, value in found.items() if key.endswith("_format")}
    assert formats | {test["output_format"] for test in found["tests"]} == {"text"}
    assert all("name_format" not in test for test in found["tests"])


# What the specification names.
TOP = {
    *("score", "execution_time", "output", "output_format", "test_output_format", "test_name_format"),
    *("visibility", "stdout_visibility", "extra_data", "tests", "leaderboard"),
}
OF_A_TEST = {
    *("score", "max_score", "status", "name", "name_format", "number", "output", "output_format"),
    *("tags", "visibility", "extra_data"),
}


def test_nothing_is_in_it_that_the_specification_does_not_name(tmp_path):
    for found in results(tmp_path, classes.wrong(), classes.fault(), classes.hostile()):
        assert found.keys() <= TOP
        assert all(test.keys() <= OF_A_TEST for test in found.get("tests", []))
        assert "score" in found or "tests" not in found
