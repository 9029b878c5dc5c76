"""A fault of ours is tried once more in a fresh judge; a verdict and a fault of the course are not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.judge.again import judged
from grader.model.evidence import Evidence

FINE = Evidence(assignment="toy", timings={"suite": 1.0})
FAULT = Evidence(assignment="toy", problem="the judge was killed by SIGKILL and gave no result: it said nothing")
OTHER_FAULT = Evidence(assignment="toy", problem="no judge could be had: OSError: too many open files")
COURSE_FAULT = Evidence(assignment="toy", problem="no such test", course_fault=True)
KILLED = Evidence(assignment="toy", worker_killed=True, environment={"which": "the one with a killed worker"})


@pytest.fixture
def judges() -> Iterator[list[Evidence]]:
    """What judges find, one after the other; every one of them must be asked."""
    plan: list[Evidence] = []
    yield plan
    assert not plan, "every planned judge was asked"


def found(judges: list[Evidence], *plan: Evidence) -> Evidence:
    judges.extend(plan)
    return judged(None, None, run=lambda *_: judges.pop(0))  # type: ignore[arg-type] # handed on as they are


def test_a_verdict_stands_at_once(judges) -> None:
    assert found(judges, FINE) == FINE


@pytest.mark.parametrize("first", [FAULT, KILLED], ids=["a fault of ours", "a killed worker"])
def test_a_second_judge_decides_and_the_lost_time_is_told_with_the_timings_alone(judges, first) -> None:
    evidence = found(judges, first, FINE)
    assert evidence.timings.keys() == {"suite", "attempt given up"}
    assert evidence.model_copy(update={"timings": FINE.timings}) == FINE


def test_two_faults_are_both_told(judges) -> None:
    problem = found(judges, FAULT, OTHER_FAULT).problem
    assert FAULT.problem in problem
    assert OTHER_FAULT.problem in problem


def test_the_same_fault_twice_is_told_once(judges) -> None:
    assert found(judges, FAULT, FAULT).problem == f"twice: {FAULT.problem}"


def test_a_fault_of_the_course_is_not_tried_again(judges) -> None:
    assert found(judges, COURSE_FAULT) == COURSE_FAULT


def test_a_fault_of_the_course_found_by_the_second_judge_is_the_courses(judges) -> None:
    evidence = found(judges, FAULT, COURSE_FAULT)
    assert (evidence.problem, evidence.course_fault) == (COURSE_FAULT.problem, True)


def test_a_worker_killed_in_both_has_had_its_second_try_in_each(judges) -> None:
    assert found(judges, KILLED, KILLED).problem is None


def test_a_verdict_with_a_killed_worker_is_better_than_none(judges) -> None:
    assert found(judges, KILLED, FAULT) == KILLED
