"""What a level of isolation leaves in a submission's reach, told before anything is graded."""

from __future__ import annotations

from pathlib import Path

from grader.sandbox.base import Level
from grader.sandbox.facts import is_root


def exposure(level: Level, course: Path) -> str | None:
    """Return what to tell whoever grades, and what to do about it; None where nothing of the course is in reach."""
    if level.reaches(Level.CONTAINER):
        return None
    if level is Level.WEAK and is_root():
        if not _open_to_others(course):
            return None
        remedy = f"chmod -R go= {course} closes it, for each worker is a user of its own"
    else:
        remedy = "`grader doctor` says what would hold submissions better"
    return f"at level {level} a submission can read the hidden tests, unless something else keeps it from {course}: {remedy}"


def _open_to_others(course: Path) -> bool:
    """Whether a user without rights could get at something in the folder."""
    return all(folder.stat().st_mode & 0o001 for folder in (course.resolve(), *course.resolve().parents))
