"""Whole submissions, in real workers: one mistake costs once, and no more can be had from the right answers than that."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.assignment import Assignment, load_assignment
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.model.evidence import Evidence
from grader.model.verdict import Status
from grader.sandbox.base import Level

SUITE = """
import numpy as np
from grader.testing import assert_close, core, exercise

pytestmark = exercise("toy.{name}")

@core
def test_values(submission):
    assert_close(submission.{name}(np.array([1.0, 3.0])), np.array({value}))
"""
VALUES = {"halve": "[0.5, 1.5]", "shift": "[1.5, 2.5]", "both": "[3.0, 5.0]"}
REFERENCE = """
def halve(x):
    if x.ndim != 1:
        raise ValueError("one axis")
    return x / 2

def shift(x):
    return halve(x) + 1

def both(x):
    return 2 * shift(x)
"""
RIGHT = REFERENCE


@pytest.fixture
def judged(tmp_path: Path) -> Callable[..., Evidence]:
    """Judge a submission to a course in which each of three exercises needs the one before it."""
    home = tmp_path / "course" / "assignments" / "toy"
    for suite in ("visible", "hidden"):
        (home / suite).mkdir(parents=True)
        for name, value in VALUES.items():
            (home / suite / f"test_{name}.py").write_text(SUITE.format(name=name, value=value))
    (tmp_path / "course" / "reference").mkdir()
    (tmp_path / "course" / "reference" / "toy.py").write_text(REFERENCE)
    (tmp_path / "course" / "reference" / "helper.py").write_text("")
    lines = [
        'id = "toy"',
        'title = { en = "Toy", zh-TW = "玩具" }',
        'files = ["toy.py", "helper.py"]',
        "limits = { cpu_seconds = 0.5, wall_seconds = 2.0 }",
    ]
    for name, need in (("halve", ""), ("shift", "halve"), ("both", "shift")):
        lines += ["[[exercises]]", f'id = "toy.{name}"', 'title = { en = "x", zh-TW = "x" }', "points = 10"]
        lines += [f'names = ["{name}"]', *([f'needs = ["toy.{need}"]'] if need else [])]
    (home / "assignment.toml").write_text("\n".join(lines), encoding="utf-8")
    assignment: Assignment = load_assignment(home)

    def judge(source: str, **more: str) -> Evidence:
        files = {f"{name}.py": base64.b64encode(text.encode()) for name, text in {"toy": source, **more}.items()}
        return run_suite(Job(assignment=home, files=files, locked=False, backend=Level.NONE), assignment)

    return judge


def statuses(found: Evidence) -> dict[str, tuple[Status, Status | None]]:
    """What became of each exercise's hidden test, by itself and carried."""
    assert found.problem is None, found.problem
    hidden = [test for test in found.tests if test.suite == "hidden"]
    return {test.exercise: (test.status, test.carried and test.carried.status) for test in hidden}


def test_one_mistake_at_the_bottom_costs_once(judged: Callable[..., Evidence]) -> None:
    found = judged(RIGHT.replace("x / 2", "x / 3"))
    assert statuses(found) == {
        "toy.halve": (Status.FAILED, None),
        "toy.shift": (Status.FAILED, Status.PASSED),
        "toy.both": (Status.FAILED, Status.PASSED),
    }


def test_only_what_is_wrong_in_itself_is_replaced(judged: Callable[..., Evidence]) -> None:
    found = judged(RIGHT.replace("x / 2", "x / 3").replace("+ 1", "+ 2"))
    needs = {test.exercise: test.carried.needs for test in found.tests if test.carried}
    assert needs == {"toy.shift": ["toy.halve"], "toy.both": ["toy.halve", "toy.shift"]}
    assert statuses(found)["toy.both"] == (Status.FAILED, Status.PASSED)
    assert statuses(found)["toy.shift"] == (Status.FAILED, Status.FAILED)


@pytest.mark.parametrize(
    "hang", ["while True: pass", "raise NotImplementedError('toy.halve')", "import os; os._exit(1)"]
)
def test_whatever_is_wrong_with_what_is_needed(hang: str, judged: Callable[..., Evidence]) -> None:
    found = judged(RIGHT.replace("return x / 2", hang))
    assert statuses(found)["toy.both"][1] is Status.PASSED


def test_a_function_is_replaced_under_every_name_that_the_modules_have_for_it(judged: Callable[..., Evidence]) -> None:
    helper = "from toy import halve as mine\ndef add(x): return mine(x) + 1\n"
    source = RIGHT.replace("x / 2", "x / 3").replace("return halve(x) + 1", "import helper; return helper.add(x)")
    assert statuses(judged(source, helper=helper))["toy.shift"] == (Status.FAILED, Status.PASSED)


def test_the_reference_s_own_exceptions_arrive_as_they_are(judged: Callable[..., Evidence]) -> None:
    source = RIGHT.replace("x / 2", "x / 3").replace(
        "return halve(x) + 1",
        "try: halve(x.reshape(1, -1))\n    except ValueError as error: assert str(error) == 'one axis'\n    return halve(x) + 1",
    )
    assert statuses(judged(source))["toy.shift"][1] is Status.PASSED


def test_right_answers_gain_nothing_for_the_exercise_that_they_answer(judged: Callable[..., Evidence]) -> None:
    # It keeps what it hears, and gives it back when it is asked itself: the worker that hears is not the one that is asked.
    source = RIGHT.replace("return x / 2", "return KEPT.get(x.tobytes(), x)").replace(
        "return halve(x) + 1", "KEPT[x.tobytes()] = halve(x); return KEPT[x.tobytes()] + 1"
    )
    found = judged("KEPT = {}\n" + source)
    assert statuses(found)["toy.halve"] == (Status.FAILED, None)


def test_a_right_submission_is_run_once(judged: Callable[..., Evidence]) -> None:
    assert set(statuses(judged(RIGHT)).values()) == {(Status.PASSED, None)}


def test_what_is_wrong_itself_stays_wrong(judged: Callable[..., Evidence]) -> None:
    found = judged(RIGHT.replace("2 * shift", "3 * shift").replace("x / 2", "x / 3"))
    assert statuses(found)["toy.both"] == (Status.FAILED, Status.FAILED)
