"""Tests as the judge understands them: an id, an exercise, a suite, a tier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from grader.course.lock import LockedTest
from grader.model.errors import CourseError
from grader.model.manifest import Manifest
from grader.model.verdict import Suite, Tier

# What a test may ask for; the judge gives it, so that one collected test serves many submissions.
GIVEN = ("submission", "reference", "rng", "worksheet", "artifacts")


@dataclass(frozen=True)
class SuiteTest:
    """A collected test."""

    locked: LockedTest
    body: Callable[..., Any]
    wants: tuple[str, ...]

    @property
    def id(self) -> str:
        """The id, relative to the assignment's folder: `hidden/test_softmax.py::test_values`."""
        return self.locked.id

    @property
    def draws(self) -> bool:
        """Whether its inputs are drawn: one that draws nothing is the same for every seed and student."""
        return "rng" in self.wants or "worksheet" in self.wants

    def bind(self, fixtures: dict[str, Any]) -> SuiteTest:
        """Return the test with fixtures of the suite's own filled in."""
        return replace(self, body=partial(self.body, **fixtures)) if fixtures else self


def read_item(item: pytest.Function, manifest: Manifest) -> SuiteTest:
    """Read what a collected test is about from its marks and its place.

    Raises:
        CourseError: It has no exercise, an unknown one, or not exactly one of `core`, `edge` and `question`; or it is
            visible and asks for the reference, or it asks for a worksheet where there is none.
    """
    where, line = item.path, (item.location[1] or 0) + 1  # pytest counts from 0
    exercise = item.get_closest_marker("exercise")
    if exercise is None or not exercise.args:
        raise CourseError(
            f"{item.name} belongs to no exercise",
            where=where,
            line=line,
            hint='put `pytestmark = exercise("...")` at the top of the file',
        )
    known = [e.id for e in manifest.exercises]
    if exercise.args[0] not in known:
        raise CourseError(
            f"{item.name} belongs to {exercise.args[0]!r}, which the manifest does not have",
            where=where,
            line=line,
            hint=f"there are: {', '.join(known)}",
        )
    tiers = [tier for tier in Tier if any(mark.name == tier for mark in item.iter_markers())]
    if len(tiers) != 1:
        raise CourseError(
            f"{item.name} must be marked either core or edge, or question on a worksheet",
            where=where,
            line=line,
            hint="import `core`, `edge` and `question` from grader.testing",
        )
    suite = Suite(item.nodeid.partition("/")[0])
    wants = tuple(name for name in item.fixturenames if name in GIVEN)
    if suite is Suite.VISIBLE and "reference" in wants:
        raise CourseError(
            f"{item.name} is visible and asks for `reference`",
            where=where,
            line=line,
            hint="visible tests run without the reference in a kit: write the expected values down",
        )
    if "worksheet" in wants and manifest.worksheet is None:
        raise CourseError(
            f"{item.name} asks for `worksheet`, and this assignment has none",
            where=where,
            line=line,
            hint='give an exercise of the manifest `file = "answers.toml"`',
        )
    if "artifacts" in wants and not manifest.artifacts:
        raise CourseError(
            f"{item.name} asks for `artifacts`, and this assignment takes none",
            where=where,
            line=line,
            hint="name them as `[[artifacts]]` of the manifest",
        )
    return SuiteTest(LockedTest(suite, tiers[0], exercise.args[0], item.nodeid), item.obj, wants)


def in_order(tests: Sequence[LockedTest], manifest: Manifest) -> list[LockedTest]:
    """Sort tests: visible before hidden, prerequisites before what needs them, core before edge.

    All visible tests come before any hidden one, for a student is shown what visible tests say: by then
    the submission must not have met a hidden input that it could repeat.
    """
    place = {exercise.id: number for number, exercise in enumerate(manifest.exercises)}
    suites, tiers = list(Suite), list(Tier)
    return sorted(
        tests, key=lambda test: (suites.index(test.suite), place[test.exercise], tiers.index(test.tier), test.id)
    )
