"""Folders of reports, made without grading anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.batch.folder import write_report
from grader.batch.summary import summarise
from grader.batch.summary_files import write_summary
from grader.model.evidence import Diagnosis, ErrorInfo, Explanation, TestEvidence
from grader.model.manifest import Text
from grader.model.report import AssignmentReport, ExerciseReport, Report, SubmissionInfo, SubmittedFile, SummaryRow
from grader.model.verdict import Status, Suite, Tier, most_telling


def text(words: str) -> Text:
    return Text.model_validate({"en": words, "zh-TW": f"{words} 中文"})


def tried(
    name: str, status: Status = Status.PASSED, message: str = "", suite: Suite = Suite.VISIBLE, **more: object
) -> TestEvidence:
    where = {"id": f"{suite}/test_toy.py::{name}", "suite": suite, "tier": Tier.CORE, "exercise": "toy.double"}
    return TestEvidence.model_validate({**where, "status": status, "message": message, "seed": 7, **more})


def raised(kind: str, message: str, file: str, line: int) -> ErrorInfo:
    return ErrorInfo(types=[kind, "Exception"], message=message, file=file, line=line)


def explained(exercise: str = "toy.double", mistake: str = "toy.double/adds-2") -> Diagnosis:
    said = Explanation(name="Your double adds 2.", why="2 + 2 is 2 * 2, and 3 + 2 is not 3 * 2.", hint="Try 3.")
    gesagt = Explanation(name="你的 double 加了 2。", why="3 + 2 不是 3 * 2。", hint="試試 3。")
    fields = {"exercise": exercise, "misconceptions": [mistake], "en": [said], "zh-TW": [gesagt]}
    return Diagnosis.model_validate({**fields, "calls": 3, "separating": 2})


def exercise(
    name: str = "toy.double",
    score: float | None = 10.0,
    points: float = 10.0,
    status: Status | None = None,
    tests: Sequence[TestEvidence] = (),
    **more: object,
) -> ExerciseReport:
    if status is None:
        status = Status.GRADER_ERROR if score is None else Status.PASSED if score == points else Status.FAILED
    fields = {"id": name, "title": text(name), "status": status, "score": score, "points": points, "tests": [*tests]}
    return ExerciseReport.model_validate({**fields, **more})


def report(student: str, *exercises: ExerciseReport, source: str | None = None, **more: object) -> Report:
    parts: dict[str, list[ExerciseReport]] = {}
    for each in exercises or (exercise(),):
        parts.setdefault(each.id.partition(".")[0], []).append(each)
    assignments = [_assignment(name, each) for name, each in parts.items()]
    fields = {
        "grader_version": "0",
        "submission": SubmissionInfo(
            id=student,
            source=source or student,
            digest="0" * 64,
            files=[SubmittedFile(name="toy.py", sha256="0" * 64, content="")],
        ),
        "status": _of_all([each.status for each in assignments]),
        "score": _sum([each.score for each in assignments]),
        "points": sum(each.points for each in assignments),
        "assignments": assignments,
        "environment": {"python": "3.11"},
        "timings": {"total": 0.25},
    }
    return Report.model_validate({**fields, **more})


def row(of: Report) -> SummaryRow:
    found = {each.id: each.status for part in of.assignments for each in part.exercises}
    place = f"{of.submission.id}/report.json"
    return SummaryRow(
        id=of.submission.id, status=of.status, score=of.score, points=of.points, exercises=found, report=place
    )


def folder(out: Path, *reports: Report) -> Path:
    for each in reports:
        write_report(out, each)
    ids = list(dict.fromkeys(part.id for each in reports for part in each.assignments))
    write_summary(out, summarise([row(each) for each in reports], ids, 1.0))
    return out


def _assignment(name: str, exercises: Sequence[ExerciseReport]) -> AssignmentReport:
    return AssignmentReport(
        id=name,
        title=text(name),
        status=_of_all([each.status for each in exercises]),
        score=_sum([each.score for each in exercises]),
        points=sum(each.points for each in exercises),
        exercises=list(exercises),
        suite_digest="1" * 64,
        isolation=None,
        problem=None,
    )


def _of_all(statuses: Sequence[Status]) -> Status:
    return Status.PARTIAL if len({*statuses}) > 1 and Status.PASSED in statuses else most_telling(statuses)


def _sum(scores: Sequence[float | None]) -> float | None:
    return None if None in scores else sum(each for each in scores if each is not None)
