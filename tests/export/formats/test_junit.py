"""Read by junitparser."""

from __future__ import annotations

from junitparser import Error, Failure, JUnitXml, Skipped

from grader.export.base import Options
from grader.export.formats import junit
from grader.model.verdict import Status, Suite
from tests.export import classes
from tests.graded import made


def suites(tmp_path, report):
    (grade,) = classes.exported(tmp_path, report)
    return {suite.name: suite for suite in JUnitXml.fromstring(junit.render(grade, Options()).encode())}


def test_each_exercise_is_a_suite_with_its_points(tmp_path):
    found = suites(tmp_path, classes.two("ada", 4.9, 2.45))
    told = {name: {each.name: each.value for each in suite.properties()} for name, suite in found.items()}
    assert told["toy.double"] == {"score": "4.9", "points": "7.0"}
    assert told["toy"] == told["ada"] == {"score": "7.35", "points": "10.0"}


def test_a_case_is_a_failure_an_error_or_skipped(tmp_path):
    tests = [made.tried(f"test_{status}", status) for status in Status]
    suite = suites(tmp_path, made.report("ada", made.exercise(score=1.0, tests=tests)))["toy.double"]
    told = {case.name.partition("::")[2]: [type(each) for each in case.result] for case in suite}
    assert told["test_passed"] == []
    assert told["test_failed"] == told["test_timeout"] == [Failure]
    assert told["test_grader_error"] == [Error]
    assert told["test_blocked"] == [Skipped]
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (10, 7, 1, 1)


def test_a_hidden_test_is_called_by_its_tier_and_says_nothing(tmp_path):
    hidden = made.tried("test_deep", Status.FAILED, "secret", Suite.HIDDEN)
    (case,) = suites(tmp_path, made.report("ada", made.exercise(score=1.0, tests=[hidden])))["toy.double"]
    assert case.name == "hidden core 1"
    assert case.result[0].message == ""
    assert case.result[0].text is None


def test_what_xml_cannot_hold_is_spelled_out(tmp_path):
    failing = made.tried("test_x", Status.FAILED, "a\x00\x1b\ufffe<b>]]>&")
    (case,) = suites(tmp_path, made.report("ada", made.exercise(score=1.0, tests=[failing])))["toy.double"]
    assert case.result[0].text.endswith("a\\x00\\x1b\\ufffe<b>]]>&")


def test_a_fault_of_ours_leaves_every_score_out(tmp_path):
    found = suites(tmp_path, classes.fault())
    assert all([each.name for each in suite.properties()] == ["points"] for suite in found.values())
