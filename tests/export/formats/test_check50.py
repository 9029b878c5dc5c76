"""By check50's documentation of its JSON."""

from __future__ import annotations

import json

import pytest

from grader.export.base import Options
from grader.export.formats import check50
from grader.model.verdict import Status
from tests.export import classes
from tests.graded import made


def checks(tmp_path, report):
    (grade,) = classes.exported(tmp_path, report)
    return {each["name"]: each for each in json.loads(check50.render(grade, Options()))["results"]}


def test_every_check_has_all_the_keys_that_a_reader_asks_for(tmp_path):
    keys = {"name", "description", "passed", "log", "cause", "data", "dependency"}
    assert all(each.keys() == keys for each in checks(tmp_path, classes.wrong()).values())


def test_passed_has_three_values(tmp_path):
    blocked = made.exercise("toy.b", 0.0, status=Status.BLOCKED)
    found = checks(tmp_path, made.report("ada", made.exercise("toy.a"), blocked, made.exercise("toy.c", 1.0)))
    assert [found[name]["passed"] for name in ("toy.a", "toy.b", "toy.c", "score")] == [True, None, False, False]


def test_a_fault_of_ours_is_null_and_without_a_score(tmp_path):
    found = checks(tmp_path, classes.fault())
    assert found["toy.half"]["passed"] is None
    assert found["score"]["passed"] is None
    assert not any("score" in each["data"] for each in found.values())


def test_the_cause_is_the_named_mistake_and_its_hint(tmp_path):
    cause = checks(tmp_path, classes.wrong())["toy.double"]["cause"]
    assert cause == {"rationale": "Your double adds 2.", "help": "Try 3."}


def test_what_was_carried_is_the_dependency(tmp_path):
    assert checks(tmp_path, classes.wrong())["toy.half"]["dependency"] == "toy.double"


@pytest.mark.parametrize("make", [classes.wrong, classes.fault, lambda: classes.two("ada", 7.0, 2.0)])
def test_what_did_not_pass_has_a_cause_for_check50_asks_for_it(make, tmp_path):
    for each in checks(tmp_path, make()).values():
        assert each["passed"] or each["cause"]["rationale"]
