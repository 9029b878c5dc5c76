"""Slips that everybody makes, recognised and told with their remedy, before anything is run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from grader.course.assignment import Assignment
from grader.escape.terminal import line
from grader.intake.missing import best_lookalikes
from grader.model.errors import UsageError

_DEEPEST = 2
# Import names whose package is called otherwise.
_PACKAGES = {"PIL": "pillow", "sklearn": "scikit-learn", "yaml": "pyyaml"}


def nothing_here(here: Path, course: Path, assignments: Sequence[Assignment]) -> UsageError:
    """Return what to tell a student of whom no file was found: where they may be, or under which wrong name.

    Args:
        here: The working folder.
        course: The kit.
        assignments: Those that were asked for.
    """
    wanted = list(dict.fromkeys(name for each in assignments for name in each.manifest.files))
    hint = (
        next(_reasons(here, course, wanted), None)
        or "change into the folder that holds them, such as student_template/"
    )
    return UsageError(f"none of your files are here: there is no {' or '.join(wanted[:4])}", hint=hint)


def _reasons(here: Path, course: Path, wanted: Sequence[str]) -> Iterator[str]:
    own = course / "assignments"
    below = [folder for folder in [*_below(here), *_below(course)] if own not in folder.parents]
    for folder in dict.fromkeys([*below, course, here.parent]):
        if _holds(folder, wanted):
            yield f"they are in another folder: cd {line(str(folder))}"
    for folder in dict.fromkeys([here, *below]):
        names = [path.name for path in _listed(folder) if path.is_file()]
        yield from (hint for name in wanted if (hint := _misnamed(names, name, folder)))


def _below(folder: Path) -> Iterator[Path]:
    """The folders in a folder, and those in them, but for what is the course's own."""
    layer = [folder]
    for _ in range(_DEEPEST):
        layer = [child for each in layer for child in _listed(each) if _may_hold_work(child)]
        yield from layer


def _may_hold_work(folder: Path) -> bool:
    return folder.is_dir() and not folder.name.startswith(".") and folder.name not in ("assignments", "reference")


def _holds(folder: Path, wanted: Sequence[str]) -> bool:
    return any((folder / name).is_file() for name in wanted)


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _misnamed(names: Sequence[str], wanted: str, place: Path) -> str | None:
    found = [name for name in best_lookalikes(names, wanted) if not name.startswith("test")]
    if not found:
        return None
    name = line(str(place / found[0]))
    if name.casefold().endswith(".ipynb"):
        return (
            f"{name} is a notebook, and what is checked is a module: put its functions into {wanted}, "
            f"`jupyter nbconvert --to script` writes one to begin with"
        )
    return f"{name} should be called {wanted}: rename it"


def require_packages(assignment: Assignment) -> None:
    """Make sure that what an assignment needs is installed.

    Raises:
        UsageError: A package is not.
    """
    tops = dict.fromkeys(name.partition(".")[0] for name in assignment.manifest.allowed_imports)
    missing = [name for name in tops if name not in sys.modules and find_spec(name) is None]
    if missing:
        raise UsageError(
            f"{assignment.id} needs {' and '.join(missing)}, which this Python does not have ({sys.executable})",
            hint=f"{_python()} -m pip install {' '.join(_PACKAGES.get(name, name) for name in missing)}",
        )


def _python() -> str:
    return "py" if sys.platform == "win32" else "python"
