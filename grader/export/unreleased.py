"""What students may not see yet."""

from __future__ import annotations

from pathlib import Path

from grader.gradebook.policy.model import FILE_NAME as POLICY
from grader.graded.read import GradedClass


def unreleased(graded: GradedClass, policy: Path | None) -> set[str]:
    """Return the assignments that students may not see.

    Where there is no gradebook, or no policy that could say when, nothing is held back.
    """
    if graded.counted is None or (policy is None and not (graded.folder / POLICY).is_file()):
        return set()
    return {*graded.summary.assignments} - graded.counted.released
