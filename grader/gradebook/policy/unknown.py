"""Names in a policy that nobody has: a slip of the pen there would decide nothing, and be seen by nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from grader.escape.terminal import line
from grader.gradebook.policy.model import Policy


def unknown(policy: Policy, students: Collection[str], assignments: Collection[str]) -> Iterator[str]:
    """Yield what to say of students and assignments that a policy names and the gradebook does not know.

    Args:
        policy: The policy.
        students: Who handed something in.
        assignments: What was graded.
    """
    if lost := sorted(policy.named - {*students}):
        yield f"the policy names students who handed in nothing: {', '.join(map(line, lost))}"
    own = [each for rules in policy.students.values() for each in (*rules.excused, *rules.extensions, *rules.bonus)]
    taken = {*policy.assignments, *own, *(each for group in policy.groups for each in group.assignments)}
    if lost := sorted(taken - {*assignments}):
        yield f"the policy names assignments that were not graded: {', '.join(lost)}"
