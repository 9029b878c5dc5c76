"""What a judge does, done once by its keeper with a program and tests of ours: what Python learns from it, every judge has from the start.

See `grader.worker.rehearsal`. No test of the course has a part in it, so that each judge finds the suites as they were collected.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from grader.course.lock import LockedTest
from grader.judge.callers import Callers
from grader.judge.single import Single
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench
from grader.model.evidence import Evidence
from grader.model.manifest import Exercise, Limits, Manifest, Text
from grader.model.verdict import Suite, Tier
from grader.sandbox.base import Sandbox
from grader.testing import assert_close
from grader.worker.piece import FUNCTION, PROGRAM, TIMES

_EXERCISE = f"rehearsal.{FUNCTION}"


def rehearse(sandbox: Sandbox, packages: list[str], limits: Limits) -> Evidence:
    """Judge a program of ours.

    Args:
        sandbox: Where workers come from; closed at the end.
        packages: What a submission may import.
        limits: What a worker may use.

    Returns:
        What came of it: where the machine gives no worker, each judge meets that too, and tells it.
    """
    manifest = _manifest(packages, limits)
    with sandbox, Callers(sandbox, {"rehearsal.py": PROGRAM}, manifest, None, _no_time) as callers:
        single = Single(Bench(None, None, [_EXERCISE]), callers, manifest, {}, lambda _: True)
        for test in _tests(packages):
            single.run(test)
    found = Evidence(assignment=manifest.id, tests=[*single.evidence.values()])
    found.model_dump_json()
    return found


def _manifest(packages: list[str], limits: Limits) -> Manifest:
    title = Text(en="Rehearsal", zh_tw="排練")
    exercise = Exercise(id=_EXERCISE, title=title, points=1, names=[FUNCTION])
    return Manifest(
        id="rehearsal",
        title=title,
        files=["rehearsal.py"],
        allowed_imports=packages,
        limits=limits,
        exercises=[exercise],
    )


def _no_time(_: object) -> float:
    return 0.0


def _tests(packages: Collection[str]) -> Iterator[SuiteTest]:
    for body in [_arrays, _tensors] if "torch" in packages else [_arrays]:
        for number in range(TIMES):
            locked = LockedTest(Suite.HIDDEN, Tier.CORE, _EXERCISE, f"{body.__name__}_{number}")
            yield SuiteTest(locked, body, ("submission", "rng"))


def _arrays(submission: Any, rng: np.random.Generator) -> None:  # noqa: ANN401  # the judge's stand-in for a submission
    x, y = rng.standard_normal((2, 3, 4))
    assert_close(submission.sum_of(x, y, scale=2.0), 2 * (x + y))


def _tensors(submission: Any, rng: np.random.Generator) -> None:  # noqa: ANN401  # likewise
    torch = importlib.import_module("torch")
    x, y = torch.from_numpy(rng.standard_normal((2, 3, 4)))
    assert_close(submission.sum_of(x, y, scale=2.0), 2 * (x + y))
