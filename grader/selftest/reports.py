"""The reports of a class, as what they say and as the text that they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.intake.names import shown
from grader.model.report import AssignmentReport, ExerciseReport, Report, StudentReport
from grader.selftest.stage import Stage

# How much longer an honest submission may take after an attacker than without: machines are busy.
_PATIENCE = 20.0


@dataclass(frozen=True)
class Pair:
    """What was written about one submission.

    Args:
        report: The instructor's report.
        instructor: Its text.
        student: The text of the student's report.
    """

    report: Report
    instructor: str
    student: str

    @property
    def printed(self) -> str:
        """What the submission printed."""
        return "\n".join(part.output.text for part in self.report.assignments)


def read_reports(out: Path) -> dict[str, Pair]:
    """Return all reports in a folder, by id.

    Raises:
        pydantic.ValidationError: One of them does not fit its schema.
    """
    return {path.parent.name: _pair(path.parent) for path in sorted(out.glob("*/report.json"))}


def _pair(folder: Path) -> Pair:
    instructor = (folder / "report.json").read_text("utf-8")
    student = (folder / "report.student.json").read_text("utf-8")
    StudentReport.model_validate_json(student)
    return Pair(Report.model_validate_json(instructor), instructor, student)


def report_of(attack: str, stage: Stage, reports: dict[str, Pair]) -> Pair | None:
    """Return the reports on an attack; None where there are none."""
    if attack in reports:
        return reports[attack]
    name = shown(stage.names[attack])
    return next((pair for pair in reports.values() if pair.report.submission.source == name), None)


def difference(found: Pair | None, calm: Pair) -> str | None:
    """Say what of a report on the same submission is not as it was in an undisturbed class; None where all is."""
    if found is None:
        return "it has no report"
    if found.report.status != calm.report.status or found.report.score != calm.report.score:
        return f"it is {found.report.status} with {found.report.score} points, undisturbed {calm.report.status} with {calm.report.score}"
    if [_facts(part) for part in found.report.assignments] != [_facts(part) for part in calm.report.assignments]:
        return "its report says something else than undisturbed"
    late = found.report.timings["total"] - calm.report.timings["total"]
    return f"it took {late:.0f} s longer than undisturbed" if late > _PATIENCE else None


def _facts(part: AssignmentReport) -> tuple[object, ...]:
    return part.status, part.score, part.problem, part.flags, part.output, [_exercise(each) for each in part.exercises]


def _exercise(exercise: ExerciseReport) -> tuple[object, ...]:
    # The seeds differ: they depend on the id.
    tests = [(test.id, test.status, test.message, test.error, test.calls) for test in exercise.tests]
    return exercise.status, exercise.score, exercise.message, exercise.diagnosis, exercise.also, tests
