"""Name the mistakes of a worksheet: each question is a task of its own, and a student may go wrong in several ways."""

from __future__ import annotations

from collections.abc import Sequence

from grader.judge.apart import as_few_as_explain
from grader.judge.diagnose import Diagnosing, Finding, Recorded
from grader.judge.single import Heard
from grader.model.verdict import Tier


def by_question(diagnosing: Diagnosing, exercise: str, heard: Sequence[Heard]) -> list[tuple[Finding, list[str]]]:
    """Return as few misconceptions as explain the wrong answers that have a name, each with the tests that it explains.

    Args:
        diagnosing: Names mistakes.
        exercise: The worksheet.
        heard: The calls that its tests made.
    """
    asked: dict[str, list[Recorded]] = {}
    for each in heard:
        if each.failed and each.tier is Tier.QUESTION:
            asked.setdefault(each.test, []).append(each.recorded)
    explained = as_few_as_explain({test: diagnosing.singles(exercise, calls) for test, calls in asked.items()})
    return [(_together(list(fitting.values())), list(fitting)) for fitting in explained]


def _together(findings: Sequence[Finding]) -> Finding:
    calls, separating = (sum(getattr(each, name) for each in findings) for name in ("calls", "separating"))
    return Finding(findings[0].misconceptions, calls, separating)
