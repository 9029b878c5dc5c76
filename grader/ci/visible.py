"""Grade with the visible tests, as a kit has them. Points go by the rule of the hidden tests, applied to these."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from grader import __version__
from grader.ci.work import Work
from grader.course.lock import LockedTest
from grader.export.words import Language
from grader.intake.base import digest
from grader.kit.check import check
from grader.kit.checked import Checked
from grader.model.manifest import Exercise, Manifest
from grader.model.points import rounded
from grader.model.report import AssignmentReport, ExerciseReport, Report, SubmissionInfo, SubmittedFile
from grader.model.verdict import Status
from grader.score.assess import overall, total
from grader.score.rubric import exercise_status, points, share


class Visible:
    """The visible tests of a kit, or of a course."""

    SAID: Mapping[Language, str] = {
        "en": "Graded with the visible tests; what counts is decided by others.",
        "zh-TW": "以公開測試評分；正式分數由隱藏測試決定。",  # noqa: RUF001  # Chinese punctuation
    }

    def report(self, work: Work, student: str) -> Report:
        """Return a report on what the visible tests see.

        Raises:
            GraderError: A fault that is not the student's.
        """
        manifest = work.assignment.manifest
        checked = list(check(work.assignment, [], work.folder))
        earned = [_earned(each, manifest.exercise(each.exercise)) for each in checked]
        part = AssignmentReport(
            id=manifest.id,
            title=manifest.title,
            status=overall([_status(each) for each in checked]),
            score=total(earned),
            points=manifest.points,
            exercises=[
                _exercise(each, manifest.exercise(each.exercise), points)
                for each, points in zip(checked, earned, strict=True)
            ],
            suite_digest="",
        )
        return Report(
            grader_version=__version__,
            submission=_submission(student, work.folder, manifest),
            status=part.status,
            score=part.score,
            points=part.points,
            assignments=[part],
            environment={},
            timings={},
        )


def _expected(checked: Checked) -> list[LockedTest]:
    return [LockedTest(test.suite, test.tier, test.exercise, test.id) for test in checked.tests]


def _earned(checked: Checked, exercise: Exercise) -> Fraction:
    passed = {test.id: test.status is Status.PASSED for test in checked.tests}
    return points(share(_expected(checked), passed), exercise.points)


def _status(checked: Checked) -> Status:
    return exercise_status(_expected(checked), {test.id: test.status for test in checked.tests})


def _exercise(checked: Checked, exercise: Exercise, earned: Fraction) -> ExerciseReport:
    status = _status(checked)
    causes = [test.message for test in checked.tests if test.status is status and status.comes_before_tests]
    return ExerciseReport(
        id=exercise.id,
        title=exercise.title,
        status=status,
        score=rounded(earned),
        points=exercise.points,
        message=next(iter(causes), ""),
        diagnosis=next(iter(checked.diagnoses), None),
        also=checked.diagnoses[1:],
        tests=checked.tests,
    )


def _submission(student: str, folder: Path, manifest: Manifest) -> SubmissionInfo:
    files = {name: (folder / name).read_bytes() for name in manifest.taken if (folder / name).is_file()}
    return SubmissionInfo(id=student, source=folder.name, digest=digest(files), files=SubmittedFile.all_of(files))
