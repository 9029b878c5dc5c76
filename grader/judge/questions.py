"""Name the mistakes of a worksheet: each question is a task of its own, and a student may go wrong in several ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.judge.diagnose import Diagnosing, Finding, Recorded
from grader.judge.single import Heard
from grader.model.verdict import Tier


def by_question(diagnosing: Diagnosing, exercise: str, heard: Sequence[Heard]) -> list[tuple[Finding, list[str]]]:
    """Return as few misconceptions as explain the wrong answers that have a name, each with the tests that it explains.

    One number may come of several mistakes: the one that explains most of the others is the likeliest.

    Args:
        diagnosing: Names mistakes.
        exercise: The worksheet.
        heard: The calls that its tests made.
    """
    asked: dict[str, list[Recorded]] = {}
    for each in heard:
        if each.failed and each.tier is Tier.QUESTION:
            asked.setdefault(each.test, []).append(each.recorded)
    left = {test: found for test, calls in asked.items() if (found := diagnosing.singles(exercise, calls))}
    told = []
    while left:
        best = _most_telling(left)
        fitting = {test: finding for test, findings in left.items() for finding in findings if _id(finding) == best}
        told.append((_together(list(fitting.values())), list(fitting)))
        left = {test: findings for test, findings in left.items() if test not in fitting}
    return told


def _most_telling(left: Mapping[str, Sequence[Finding]]) -> str:
    """The misconception that fits most tests; of two, the one that was met first."""
    met = [_id(finding) for findings in left.values() for finding in findings]
    return max(dict.fromkeys(met), key=met.count)


def _together(findings: Sequence[Finding]) -> Finding:
    calls, separating = (sum(getattr(each, name) for each in findings) for name in ("calls", "separating"))
    return Finding(findings[0].misconceptions, calls, separating)


def _id(finding: Finding) -> str:
    return finding.misconceptions[0].id
