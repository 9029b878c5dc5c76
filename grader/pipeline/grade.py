"""Grade one submission: from its files to its report."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader import __version__
from grader.intake.base import Submission
from grader.intake.names import shown
from grader.judge.steady import with_first_words
from grader.model.evidence import Evidence
from grader.model.points import rounded
from grader.model.report import AssignmentReport, ProblemInfo, Report, SubmissionInfo, SubmittedFile
from grader.pipeline.collected import collected
from grader.pipeline.gather import gather
from grader.pipeline.settings import Settings
from grader.score.assess import assess, overall


@dataclass(frozen=True)
class Outcome:
    """What came of a submission.

    Args:
        report: The report.
        disturbed: Whether a call ran out of wall time alone: then it is worth one more try, undisturbed.
        course_fault: What is wrong with the course, so that no submission can be graded.
        evidence: What was found out, by assignment.
        judged: Of each assignment, whether that was found out just now.
    """

    report: Report
    disturbed: bool
    course_fault: str | None
    evidence: tuple[Evidence, ...] = ()
    judged: tuple[bool, ...] = ()


def grade(submission: Submission, settings: Settings, before: Sequence[Evidence] = ()) -> Outcome:
    """Judge and score one submission on every assignment of the run.

    Args:
        submission: What was handed in.
        settings: What is the same for all.
        before: What was found the first time, where this is the second.

    Raises:
        Stopped: The run was interrupted.
    """
    started = time.perf_counter()
    known = [settings.recall(submission, graded) for graded in settings.graded]
    gathered = [
        found or gather(submission, graded, settings) for found, graded in zip(known, settings.graded, strict=True)
    ]
    again = [with_first_words(*each) for each in zip(before, gathered, strict=True)] if before else gathered
    found = [*zip(settings.graded, again, strict=True)]
    reports = [
        assess(graded.assignment, graded.locked, evidence, suite_digest=graded.digest, only=settings.only).model_copy(
            update={"collected": collected(submission, graded.assignment.manifest)}
        )
        for graded, evidence in found
    ]
    report = Report(
        grader_version=__version__,
        submission=_info(submission),
        status=overall([part.status for part in reports]),
        score=_sum(reports),
        points=sum(part.points for part in reports),
        assignments=reports,
        environment=_environment([evidence for _, evidence in found]),
        timings=_timings([evidence for _, evidence in found], time.perf_counter() - started),
    )
    fault = next((evidence.problem for _, evidence in found if evidence.course_fault), None)
    judged = tuple(found is None for found in known)
    disturbed = any(new and _disturbed(evidence) for new, evidence in zip(judged, again, strict=True))
    return Outcome(report, disturbed, fault, tuple(again), judged)


def _disturbed(evidence: Evidence) -> bool:
    """Whether the machine may have been too busy: not where a submission was judged twice already."""
    return evidence.wall_overrun and not evidence.worker_killed and evidence.problem is None


def _info(submission: Submission) -> SubmissionInfo:
    files = SubmittedFile.all_of(submission.files)
    problems = [
        ProblemInfo(file=problem.file, message=problem.message, hint=problem.hint) for problem in submission.problems
    ]
    return SubmissionInfo(
        id=submission.id,
        source=shown(submission.place),
        digest=submission.digest,
        files=files,
        ignored=list(submission.ignored),
        problems=problems,
    )


def _sum(reports: Sequence[AssignmentReport]) -> float | None:
    scores = [report.score for report in reports]
    known = [Fraction(str(score)) for score in scores if score is not None]
    return rounded(sum(known, Fraction(0))) if len(known) == len(scores) else None


def _environment(evidence: Sequence[Evidence]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in evidence:
        found |= each.environment
    return dict(sorted(found.items()))


def _timings(evidence: Sequence[Evidence], total: float) -> dict[str, float]:
    tests = {test_id: seconds for each in evidence for test_id, seconds in each.timings.items()}
    return {"total": round(total, 4)} | {name: round(seconds, 4) for name, seconds in tests.items()}
