"""What students may not see yet."""

from __future__ import annotations

from grader.graded.read import GradedClass


def unreleased(graded: GradedClass) -> set[str]:
    """Return the assignments that students may not see; without a gradebook nothing is held back."""
    return set() if graded.counted is None else {*graded.summary.assignments} - graded.counted.released
