"""Grade many submissions: a thread a slot, each waiting for a judge of its own."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

from grader.batch.folder import held, write_report
from grader.batch.summary import Asked, summarise
from grader.batch.summary_files import write_summary
from grader.intake.base import Submission
from grader.judge.run import Stopped
from grader.model.errors import CourseError, GraderError
from grader.model.evidence import Evidence
from grader.model.report import Report
from grader.pipeline.grade import Outcome, grade
from grader.pipeline.settings import Settings


def grade_all(
    submissions: Sequence[Submission], settings: Settings, *, jobs: int, out: Path, left_out: Sequence[str] = ()
) -> Generator[Report, None, None]:
    """Grade every submission, write its reports, and yield each when it is on disk.

    Whatever is finished when the run ends, for any reason, stays and stands in the summary.

    Args:
        submissions: The class.
        settings: What is the same for all.
        jobs: How many to judge at once.
        out: Where to write.
        left_out: What lay beside the submissions, for the summary.

    Raises:
        UsageError: The folder cannot be written to, or another run is writing there.
        GraderError: A report could not be written; those before it stay.
        CourseError: The course is at fault, so no further submission could be graded either.
        KeyboardInterrupt: The run was interrupted.
    """
    started = time.perf_counter()
    finished: list[Report] = []
    asked = Asked([submission.id for submission in submissions], left_out)

    def summary(*, interrupted: bool = False) -> None:
        if finished:
            ids, seconds = [graded.assignment.id for graded in settings.graded], time.perf_counter() - started
            write_summary(out, summarise(finished, ids, seconds, asked=asked, interrupted=interrupted))

    with held(out, asked.ids):
        try:
            for report in _reports(submissions, settings, jobs):
                write_report(out, report)
                finished.append(report)
                yield report
        except BaseException as error:
            # What ended the run is what the reader has to hear of, not that the summary met the same.
            with contextlib.suppress(GraderError):
                # No fault is an interruption, by a signal or by whoever takes no more reports.
                summary(interrupted=not isinstance(error, Exception))
            raise
        summary()


def _reports(submissions: Sequence[Submission], settings: Settings, jobs: int) -> Iterator[Report]:
    """Yield reports as they come; those that a busy machine may have disturbed are graded again, alone, at the end."""
    again: list[tuple[Submission, Sequence[Evidence]]] = []
    for submission, outcome in _outcomes([(submission, ()) for submission in submissions], settings, jobs):
        if outcome.disturbed:
            again.append((submission, outcome.evidence))
        else:
            yield outcome.report
    for _, outcome in _outcomes(again, settings, jobs=1):
        yield outcome.report


def _outcomes(
    submissions: Sequence[tuple[Submission, Sequence[Evidence]]], settings: Settings, jobs: int
) -> Iterator[tuple[Submission, Outcome]]:
    """Yield submissions as they are graded, each given with what was found before, if anything was."""
    stop = threading.Event()
    stoppable = replace(settings, stop=stop)
    with ThreadPoolExecutor(jobs, thread_name_prefix="slot") as pool:
        waiting: dict[Future[Outcome], Submission] = {
            pool.submit(grade, submission, stoppable, before): submission for submission, before in submissions
        }
        try:
            for future in as_completed(waiting):
                outcome = future.result()
                if outcome.course_fault is not None:
                    raise CourseError(outcome.course_fault, hint="`grader verify` tells what is wrong with a course")
                yield waiting.pop(future), outcome
        except Stopped as error:
            raise KeyboardInterrupt from error
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
