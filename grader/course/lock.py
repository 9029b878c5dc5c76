"""`tests.lock`: the tests that count, written once from trusted collection and expected ever after.

One test a line: suite, tier, exercise, id. A test that is not in the lock earns nothing; a locked test
that does not run earns nothing either and stays in the denominator.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from grader.model.errors import CourseError
from grader.model.verdict import Suite, Tier

FILE_NAME = "tests.lock"
_HEADER = "# Written by `grader verify --lock`. One test a line: suite, tier, exercise, id.\n"


class LockedTest(NamedTuple):
    """A test that counts."""

    suite: Suite
    tier: Tier
    exercise: str
    id: str


def write_lock(path: Path, tests: Iterable[LockedTest]) -> None:
    """Write the lock in the order that makes a change easy to read: by exercise, then suite, tier and id."""
    ordered = sorted(tests, key=lambda test: (test.exercise, test.suite, test.tier, test.id))
    lines = [f"{test.suite:<7}  {test.tier:<4}  {test.exercise}  {test.id}\n" for test in ordered]
    path.write_text(_HEADER + "".join(lines), encoding="utf-8", newline="\n")


def read_lock(path: Path) -> list[LockedTest]:
    """Return the locked tests.

    Raises:
        CourseError: The file is missing, or a line is not of the form that `write_lock` writes.
    """
    if not path.is_file():
        raise CourseError(
            "there is no tests.lock, so no test counts",
            where=path,
            hint=f"run `grader verify --lock {path.parent.name}`",
        )
    tests = [
        _parse(line, path, number)
        # A byte that is not UTF-8 names no test there is: it is found out like any other stranger.
        for number, line in enumerate(path.read_text("utf-8", errors="replace").splitlines(), start=1)
        if _is_test(line)
    ]
    ids = [test.id for test in tests]
    if twice := [test_id for test_id in ids if ids.count(test_id) > 1]:
        raise CourseError(f"test {twice[0]} stands twice", where=path, hint="run `grader verify --lock`")
    return tests


def _is_test(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#")


def _parse(line: str, path: Path, number: int) -> LockedTest:
    try:
        suite, tier, exercise, test_id = line.split(None, 3)
        return LockedTest(Suite(suite), Tier(tier), exercise, test_id.strip())
    except ValueError as error:
        raise CourseError(
            f"not a line of a lock: {line.strip()!r}",
            where=path,
            line=number,
            hint="each line holds suite, tier, exercise and test id; `grader verify --lock` writes it",
        ) from error
