"""A small class in which everything that a stranger can write is written by an enemy."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

from grader.model.evidence import Explanation, Flag, HeatMap
from grader.model.report import ProblemInfo, Report, SubmissionInfo, SubmittedFile
from grader.model.verdict import Status, Suite
from tests.graded import made

EVIL = (
    "\"'><img src=x onerror=alert(1)></script><script>alert(2)</script><!-- {{ 7*7 }} &lt; \u202egnp.exe \x1b[2J \u200b"
)
TAG_NAME = "<img src=x onerror=alert(3)>"
LONG = "n" * 10_000
METRICS = "step,loss,val_loss,perplexity\n" + "".join(
    f"{i},{5 / (i + 1)},{6 / (i + 1)},{9 / (i + 1)}\n" for i in range(40)
)


def handed_in(student: str, files: dict[str, str], problems: Sequence[ProblemInfo] = ()) -> SubmissionInfo:
    kept = [
        SubmittedFile(name=name, sha256="0" * 64, content=base64.b64encode(text.encode()).decode())
        for name, text in files.items()
    ]
    return SubmissionInfo(id=student, source=student, digest="ab" * 32, files=kept, problems=[*problems])


def weights() -> HeatMap:
    return HeatMap(what=f"the weights {EVIL}"[:200], got=[[0.2, 0.8], [None, 1.0]], right=[[0.5, 0.5], [0.25, 0.75]])


def failing(student: str) -> Report:
    tests = [
        made.tried("test_a", Status.FAILED, EVIL, heat_maps=[weights()]),
        made.tried("test_b", Status.FAILED, LONG),
        made.tried("test_c", Status.FAILED, "the secret of a hidden test", Suite.HIDDEN, error=_raised()),
        made.tried("test_d"),
    ]
    words = Explanation(name=f"Named {EVIL}", why=EVIL, hint=EVIL)
    diagnosis = made.explained().model_copy(update={"en": [words], "zh_tw": [words]})
    exercise = made.exercise(score=0.0, tests=tests, diagnosis=diagnosis, message=EVIL)
    problem = ProblemInfo(file=EVIL, message=EVIL, hint=EVIL)
    report = made.report(student, exercise, submission=handed_in(student, {"toy.py": "x"}, [problem]))
    report.assignments[0].flags.append(Flag(file=EVIL, line=3, name=EVIL))
    return report


def _raised():
    return made.raised("ValueError", EVIL, "toy.py", 1)


def a_class() -> list[Report]:
    return [
        failing("ada"),
        made.report("wen", submission=handed_in("wen", {"run/metrics.csv": METRICS})),
        made.report("bo", made.exercise(score=None, status=Status.GRADER_ERROR, message=EVIL)),
        made.report(TAG_NAME, made.exercise(score=5.0, status=Status.PARTIAL, carried=["toy.other"])),
    ]


def folder(out: Path) -> Path:
    return made.folder(out, *a_class())
