"""What an assignment counts for a student."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grader.gradebook.policy.lateness import IN_TIME, Lateness, lateness
from grader.gradebook.policy.model import Policy
from grader.gradebook.policy.rulings import earned, in_force
from grader.gradebook.policy.work import Attempt, Ruling


@dataclass(frozen=True)
class Final:
    """What an assignment counts.

    Args:
        assignment: Which.
        points: What could be earned.
        earned: What was earned, as a person may have decided.
        score: What counts of it.
        lateness: How late the attempt was that counts.
        attempt: The attempt that counts; None where there is none.
        attempts: How many there were.
        excused: Whether it is not asked for.
        bonus: Whether its points are on top.
        dropped: Whether it is one of the lowest, that do not count.
        waiting: The answers in words that no person has read: neither what they earn nor what they are worth counts yet.
    """

    assignment: str
    points: Fraction
    earned: Fraction = Fraction(0)
    score: Fraction = Fraction(0)
    lateness: Lateness = IN_TIME
    attempt: Attempt | None = None
    attempts: int = 0
    excused: bool = False
    bonus: bool = False
    dropped: bool = False
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """All that is known of a class.

    Args:
        points: What each assignment is worth.
        attempts: Attempts by student and assignment.
        rulings: Decisions by student and assignment, in the order in which they were made.
        by_hand: What the answers in words of each assignment are worth, by their files.
    """

    points: Mapping[str, float]
    attempts: Mapping[tuple[str, str], Sequence[Attempt]]
    rulings: Mapping[tuple[str, str], Sequence[Ruling]]
    by_hand: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def of_team(self, team: Sequence[str], assignment: str) -> list[Attempt]:
        """Return what any of some students handed in, in the order of time."""
        found = [attempt for student in team for attempt in self.attempts.get((student, assignment), ())]
        return sorted(found, key=lambda attempt: (attempt.submitted, attempt.student))


def finals(student: str, known: Known, policy: Policy) -> list[Final]:
    """Return what each assignment counts for a student, in the order of their names.

    The days of the bank go to the assignments in the order in which they are due; each takes what it needs.
    """
    bank = policy.of_student(student).bank_days
    left = policy.bank_days if bank is None else bank
    found: dict[str, Final] = {}
    for assignment in sorted(known.points, key=lambda name: _order(student, name, policy)):
        found[assignment] = final = _final(student, assignment, known, policy, left)
        left -= final.lateness.from_bank
    return [found[assignment] for assignment in sorted(found)]


def _order(student: str, assignment: str, policy: Policy) -> tuple[float, str]:
    due = policy.due(student, assignment)
    return (float("inf") if due is None else due, assignment)


def _final(student: str, assignment: str, known: Known, policy: Policy, bank: int) -> Final:
    rules, own = policy.of(assignment), policy.of_student(student)
    attempts = known.of_team(policy.team(student, assignment), assignment)
    points = Fraction(str(known.points[assignment]))
    if assignment in own.excused:
        return Final(assignment, points, attempts=len(attempts), excused=True, bonus=rules.bonus)
    rulings = known.rulings.get((student, assignment), ())
    counting = list(_counting(attempts, rulings, policy, (student, assignment), bank))
    if not attempts:
        # Somebody may have decided about what was never handed in, such as an oral examination.
        counting = [_Counting(None, earned(Attempt(student, 0, 0.0, float(points)), rulings), IN_TIME)]
    best = _chosen(counting, rules.attempts or policy.attempts)
    read, waiting = _by_hand(known.by_hand.get(assignment, {}), rulings)
    extra = Fraction(str(own.bonus.get(assignment, 0.0)))
    score = best.earned * best.lateness.factor + extra
    if rules.cap is not None:
        score = min(score, Fraction(str(rules.cap)))
    return Final(
        assignment,
        points + read,
        best.earned,
        score,
        best.lateness,
        best.attempt,
        len(attempts),
        bonus=rules.bonus,
        waiting=waiting if best.attempt else (),
    )


def _by_hand(worth: Mapping[str, float], rulings: Sequence[Ruling]) -> tuple[Fraction, tuple[str, ...]]:
    """Return what the answers are worth that a person has read, and those that nobody has."""
    decided = in_force(rulings)
    read = sum((Fraction(str(points)) for file, points in worth.items() if file in decided), Fraction(0))
    return read, tuple(file for file in worth if file not in decided)


@dataclass(frozen=True)
class _Counting:
    attempt: Attempt | None
    earned: Fraction
    lateness: Lateness


def _counting(
    attempts: Sequence[Attempt], rulings: Sequence[Ruling], policy: Policy, whose: tuple[str, str], bank: int
) -> Iterator[_Counting]:
    due, late = policy.due(*whose), policy.late_for(whose[1])
    for attempt in attempts:
        yield _Counting(attempt, earned(attempt, rulings), lateness(attempt.submitted, due, late, bank))


def _chosen(counting: Sequence[_Counting], rule: str) -> _Counting:
    """Return what counts. What came too late to be taken is passed over, unless there is nothing else."""
    taken = [each for each in counting if not each.lateness.cut_off] or counting
    if rule == "latest":
        return taken[-1]
    # Of several that count the same, the one that takes the fewest days of the bank, and then the first.
    return max(taken, key=lambda each: (each.earned * each.lateness.factor, -each.lateness.from_bank))
