"""The order in which assignments are done: each after those that it builds on."""

from __future__ import annotations

from collections.abc import Sequence

from grader.course.assignment import Assignment
from grader.model.errors import CourseError


def before(assignment: Assignment, others: Sequence[Assignment]) -> list[str]:
    """Return which of some assignments come right before one, in the order of its manifest."""
    there = {each.id for each in others}
    return [each for each in assignment.manifest.after if each in there]


def in_order(assignments: Sequence[Assignment]) -> list[Assignment]:
    """Return assignments in an order in which each comes after those that it names under `after`.

    Of several that may come next, the one that most directly goes on from the last is taken, and else the first given.

    Raises:
        CourseError: Some come after each other in a circle.
    """
    left = list(assignments)
    done: list[Assignment] = []
    while left:
        ready = [each for each in left if not {one.id for one in left} & {*each.manifest.after}]
        if not ready:
            names = ", ".join(each.id for each in left)
            raise CourseError(
                f"come after each other in a circle: {names}",
                where=left[0].folder / "assignment.toml",
                hint="see `after` in their manifests",
            )
        following = [each for each in ready if done and done[-1].id in each.manifest.after]
        done.append((following or ready)[0])
        left.remove(done[-1])
    return done
