"""The versions that a bundle is held to: those that this machine grades with, of just what its assignments need."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions

from grader.bundle.own import needed, own_needs
from grader.course.assignment import Assignment
from grader.model.errors import UsageError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def packages(assignments: Sequence[Assignment]) -> list[str]:
    """Return the packages, by the names that an installer knows, that submissions may import.

    Raises:
        UsageError: One is not installed here, so that its version is not known.
    """
    wanted = dict.fromkeys(
        name.partition(".")[0] for assignment in assignments for name in assignment.manifest.allowed_imports
    )
    return sorted({_package(name) for name in wanted if name not in sys.stdlib_module_names})


# It reads what every installed package brings.
_packages_of_modules = cache(packages_distributions)


def _package(module: str) -> str:
    known = _packages_of_modules()
    if module not in known:
        raise UsageError(
            f"{module} is not installed here, so its version cannot be pinned",
            hint=f"`python -m pip install {module}`; then make the bundle again",
        )
    return _normal(known[module][0])


def constraints(wanted: Iterable[str]) -> str:
    """Return the versions of some packages, of the grader's own needs, and of all that these need, one a line.

    It says which version, not what to install: a package that only other systems need does no harm in it.
    """
    found: dict[str, str] = {}
    waiting = [*_names(own_needs().packages), *wanted]
    while waiting:
        name = _normal(waiting.pop())
        if name not in found and (there := _distribution(name)) is not None:
            # A build of one's own index, as of `2.6.0+cpu`, is not everybody's.
            found[name] = there.version.partition("+")[0]
            waiting += _names(needed(there.requires or []))
    return "".join(f"{name}=={version}\n" for name, version in sorted(found.items()))


def _names(requirements: Iterable[str]) -> list[str]:
    return [found[0] for line in requirements if (found := _NAME.match(line))]


def _distribution(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:  # needed on another system, or by an older Python
        return None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
