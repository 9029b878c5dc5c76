"""Two records of one session must agree: ours, and the one pytest-json-report kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from grader.model.evidence import TestEvidence
from grader.model.verdict import Status


def disagreement(
    report: Mapping[str, Any], evidence: Mapping[str, TestEvidence], selected: Collection[str]
) -> str | None:
    """Return where the records differ, or None where every selected test ran once and ended alike in both."""
    outcomes: dict[str, str] = {}
    for test in report.get("tests", []):
        if test["nodeid"] in outcomes:
            return f"{test['nodeid']} was reported twice"
        outcomes[test["nodeid"]] = test["outcome"]
    for test_id in selected:
        ours, theirs = evidence.get(test_id), outcomes.get(test_id)
        if ours is None or theirs is None:
            return f"{test_id} was selected, but has no result"
        if (ours.status is Status.PASSED) != (theirs == "passed"):
            return f"{test_id} is {ours.status} in our record, but {theirs} in pytest's"
    if extra := outcomes.keys() - set(selected):
        return f"{min(extra)} ran without being selected"
    return None
