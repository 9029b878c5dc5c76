"""How late something is, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from grader.gradebook.policy.model import LatePolicy

DAY = 24 * 60 * 60


@dataclass(frozen=True)
class Lateness:
    """How late something is.

    Args:
        seconds: After the due time; 0 where it is in time, or within the grace.
        days: Days late, each of which counts once it has begun.
        from_bank: How many of them the bank pays for.
        factor: What is left of what was earned, between 0 and 1.
        cut_off: Whether it came too late to be taken at all.
    """

    seconds: int = 0
    days: int = 0
    from_bank: int = 0
    factor: Fraction = Fraction(1)
    cut_off: bool = False


IN_TIME = Lateness()


def lateness(submitted: int, due: int | None, policy: LatePolicy, bank: int = 0) -> Lateness:
    """Return how late something is.

    The due second itself is in time, and so is the last second of the grace. What is later is late from the due time on.

    Args:
        submitted: When it was handed in, in seconds since 1970.
        due: When it was due; None where it is never late.
        policy: What lateness costs.
        bank: How many days are left in the student's bank.
    """
    if due is None or submitted <= due + 60 * policy.grace_minutes:
        return IN_TIME
    seconds = submitted - due
    days = ceil(Fraction(seconds, DAY))
    if policy.cut_off_days is not None and seconds > Fraction(str(policy.cut_off_days)) * DAY:
        return Lateness(seconds, days, 0, Fraction(0), cut_off=True)
    from_bank = min(days, bank) if policy.bank else 0
    lost = (days - from_bank) * Fraction(str(policy.percent_per_day)) / 100
    return Lateness(seconds, days, from_bank, max(Fraction(0), 1 - lost))
