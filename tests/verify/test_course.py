"""This course's own suites hold what `verify` promises, and every hidden test earns its place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from grader.verify.processes import verify_all
from grader.verify.result import Result
from tests.conftest import ROOT
from tests.verify.deleting import copy_course, delete_test, hidden_tests

# `grader verify` tries all of them beside these tests; here one is enough to show that what it promises is what it looks at.
FAST, SLOW = ("masking",), ("attention", "context", "efficient", "positions", "shapes")
ASSIGNMENTS = [*FAST, *(pytest.param(assignment, marks=pytest.mark.slow) for assignment in SLOW)]


@cache
def verified(assignment: str) -> Result:
    (result,) = verify_all([ROOT / "assignments" / assignment], seeds=3, jobs=1)
    return result


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_right_passes_template_earns_nothing_and_every_mistake_is_named(assignment: str) -> None:
    assert verified(assignment).problems == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_hidden_test_is_alone_in_catching_some_mistake(assignment: str) -> None:
    assert verified(assignment).idle == []


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_there_are_right_answers_in_unlike_styles_and_two_variants_of_every_mistake(assignment: str) -> None:
    result = verified(assignment)
    assert len(result.right) >= 6
    assert sum(not mistake.is_variant for mistake in result.mistakes) <= sum(
        mistake.is_variant for mistake in result.mistakes
    )


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_deleted_hidden_test_lets_a_mistake_survive_and_verify_says_which(
    grader, tmp_path: Path, assignment: str
) -> None:
    survives(grader, tmp_path, assignment, hidden_tests(assignment)[0])


@pytest.mark.slow
@pytest.mark.parametrize(("assignment", "test_id"), [(a, t) for a in (*FAST, *SLOW) for t in hidden_tests(a)])
def test_any_deleted_hidden_test_lets_a_mistake_survive(grader, tmp_path: Path, assignment: str, test_id: str) -> None:
    survives(grader, tmp_path, assignment, test_id)


def survives(grader, tmp_path: Path, assignment: str, test_id: str) -> None:
    course = copy_course(tmp_path / "course", assignment)
    delete_test(course, assignment, test_id)
    ran = grader("verify", assignment, "--seeds", "1", "--course", course)
    assert ran.returncode == 3
    alone = {mistake.label for mistake in verified(assignment).mistakes if mistake.caught_by == [test_id]}
    told = {label for label in alone if f"problem: {label} survives" in ran.stdout}
    assert told, ran.stdout
