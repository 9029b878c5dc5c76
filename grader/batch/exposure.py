"""What a level of isolation leaves in a submission's reach, told before anything is graded."""

from __future__ import annotations

from pathlib import Path

from grader.sandbox.base import Level
from grader.sandbox.facts import is_root


def exposure(level: Level, course: Path) -> str | None:
    """Return what to tell whoever grades, and what to do about it; None where there is nothing to do.

    Where each worker is a user of its own, as it is without namespaces when root grades, the modes of files hold as well.
    """
    own_users = level in (Level.CONTAINER, Level.WEAK) and is_root()
    if level is Level.FULL or (level is Level.CONTAINER and not own_users):
        return None
    if own_users and not _open_to_others(course):
        return None
    close = f"chmod -R go= {course}"
    if level is Level.CONTAINER:
        return (
            f"at level {level} Landlock alone keeps a submission from the hidden tests: `{close}` makes it two barriers"
        )
    remedy = f"`{close}` closes the tests, " if own_users else ""
    return f"level {level} may let a submission read the hidden tests, reach the network or start processes: {remedy}`grader doctor` says what holds and what would hold better"


def _open_to_others(course: Path) -> bool:
    """Whether a user without rights could get at something in the folder."""
    return all(folder.stat().st_mode & 0o001 for folder in (course.resolve(), *course.resolve().parents))
