"""When students may see what came of their work."""

from __future__ import annotations

from grader.gradebook.policy.model import Policy


def is_released(policy: Policy, assignment: str, now: int, by_hand: int | None) -> bool:
    """Whether an assignment may be seen.

    Args:
        policy: What was decided: the time, from that second on.
        assignment: Which.
        now: The time, in seconds since 1970.
        by_hand: When somebody released it by hand; None where nobody did.
    """
    when = policy.of(assignment).release
    return (by_hand is not None and by_hand <= now) or (when is not None and policy.instant(when) <= now)
