"""Gather the evidence on one submission to one assignment."""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping

from grader.intake.base import Problem, Submission, digest
from grader.judge.again import judged
from grader.judge.job import Job
from grader.judge.seeds import hidden_seeds, visible_seed
from grader.model.evidence import ErrorInfo, Evidence, TestEvidence
from grader.model.verdict import Status, Suite
from grader.pipeline.settings import Graded, Settings


def gather(submission: Submission, graded: Graded, settings: Settings) -> Evidence:
    """Have a submission judged; where no file of it could be taken there is nothing to run.

    Where a file is missing by a fault of ours there is no verdict, whatever the other files are worth.

    Raises:
        Stopped: The run was interrupted.
    """
    manifest = graded.assignment.manifest
    wanted = manifest.taken
    taken = {name: content for name, content in submission.files.items() if name in wanted}
    files = {name: content for name, content in taken.items() if name in manifest.files}
    seeds = _seeds(submission, graded, settings.key, taken)
    if len(taken) < len(wanted) and (fault := next((each for each in submission.problems if each.ours), None)):
        return Evidence(assignment=graded.assignment.id, problem=_said(fault))
    if not taken:
        return _nothing_to_run(submission, graded, seeds)
    job = Job(
        assignment=graded.assignment.folder,
        files={name: base64.b64encode(content) for name, content in files.items()},
        artifacts={name: base64.b64encode(content) for name, content in taken.items() if name not in files},
        refused=_refused(submission, [name for name in wanted if name not in taken]),
        student=submission.id,
        exercises=[each.id for each in graded.assignment.manifest.exercises if each.id in settings.only],
        seeds=seeds,
        backend=settings.backend,
    )
    return judged(job, graded.assignment, settings.stop, settings.run)


def told_of(submission: Submission, graded: Graded) -> dict[str, str]:
    """Return what a judge is told of files that could not be taken; where none was, all that is said instead of judging."""
    wanted = graded.assignment.manifest.taken
    if any(name in wanted for name in submission.files):
        return _refused(submission, [name for name in wanted if name not in submission.files])
    return {"": "\n".join(map(_said, submission.problems))}


def _seeds(submission: Submission, graded: Graded, key: bytes, files: Mapping[str, bytes]) -> dict[str, int]:
    """The seed of every test. Of the submission, only what this assignment takes of it has a say."""
    hidden = hidden_seeds(key, assignment=graded.assignment.id, student=submission.id, digest=digest(files))
    return {test.id: (visible_seed if test.suite is Suite.VISIBLE else hidden)(test.id) for test in graded.locked}


def _nothing_to_run(submission: Submission, graded: Graded, seeds: Mapping[str, int]) -> Evidence:
    """Evidence for a submission of which no file could be taken: every test fails for that one reason."""
    names = " or ".join(graded.assignment.manifest.files)
    message = next((_said(problem) for problem in submission.problems), f"there is no {names}")
    error = ErrorInfo(types=["FileNotFoundError"], message=message)
    tests = [
        TestEvidence(
            id=test.id,
            suite=test.suite,
            tier=test.tier,
            exercise=test.exercise,
            status=Status.IMPORT_ERROR,
            message=message,
            error=error,
            seed=seeds[test.id],
        )
        for test in graded.locked
    ]
    return Evidence(assignment=graded.assignment.id, tests=tests)


def _refused(submission: Submission, names: Collection[str]) -> dict[str, str]:
    """Return which of some files are there and could not be taken, each with the reason."""
    there = [each for each in submission.problems if not each.missing]
    own = {name.rpartition("/")[2]: name for name in names}
    return {own[name]: _said(each) for each in there if (name := each.file.rpartition("/")[2]) in own}


def _said(problem: Problem) -> str:
    place = "" if problem.message.startswith(problem.file) else f"{problem.file}: "
    return f"{place}{problem.message}; {problem.hint}"
