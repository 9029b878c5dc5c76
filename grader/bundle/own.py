"""What the grader that is running needs: told by the project where it runs from its sources, else by its installation."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from grader.model.errors import UsageError

NAME = "rowwise"
PACKAGE = Path(__file__).resolve().parents[1]
_OF_AN_EXTRA = re.compile(r";.*\bextra\s*==")


@dataclass(frozen=True)
class Needs:
    """Requirements, as an installer writes them.

    Args:
        python: Which versions of Python.
        packages: Which packages, without those of extras.
    """

    python: str
    packages: tuple[str, ...]


def own_needs() -> Needs:
    """Return what the grader needs.

    Raises:
        UsageError: It lies somewhere without its project, and was never installed.
    """
    project = PACKAGE.parent / "pyproject.toml"
    if project.is_file() and (found := tomllib.loads(project.read_text("utf-8"))["project"])["name"] == NAME:
        return Needs(found["requires-python"], tuple(found["dependencies"]))
    try:
        there = distribution(NAME)
    except PackageNotFoundError as error:
        raise UsageError(
            "the grader is not installed, so nobody knows what it needs",
            where=PACKAGE,
            hint="install it with pip, and make the bundle again",
        ) from error
    return Needs(there.metadata["Requires-Python"], tuple(needed(there.requires or [])))


def needed(requirements: list[str]) -> list[str]:
    """Return those of a package's requirements that no extra brings."""
    return [each for each in requirements if not _OF_AN_EXTRA.search(each)]
