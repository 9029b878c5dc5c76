"""Grade many submissions: a thread a slot, each waiting for a judge of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path

from grader.batch.summary import summarise
from grader.intake.base import Submission
from grader.judge.run import Stopped
from grader.model.errors import CourseError
from grader.model.report import Report
from grader.pipeline.grade import Outcome, grade
from grader.pipeline.settings import Settings
from grader.pipeline.write import as_json, write_atomically
from grader.score.student import for_student


def grade_all(
    submissions: Sequence[Submission], settings: Settings, *, jobs: int, out: Path
) -> Generator[Report, None, None]:
    """Grade every submission, write its reports, and yield each when it is on disk.

    Whatever is finished when the run ends, for any reason, stays and stands in the summary.

    Args:
        submissions: The class.
        settings: What is the same for all.
        jobs: How many to judge at once.
        out: Where to write.

    Raises:
        CourseError: The course is at fault, so no further submission could be graded either.
        KeyboardInterrupt: The run was interrupted.
    """
    started = time.perf_counter()
    finished: list[Report] = []
    try:
        for report in _reports(submissions, settings, jobs):
            _write(report, out)
            finished.append(report)
            yield report
    finally:
        if finished:
            ids = [graded.assignment.id for graded in settings.graded]
            write_atomically(out / "summary.json", as_json(summarise(finished, ids, time.perf_counter() - started)))


def _reports(submissions: Sequence[Submission], settings: Settings, jobs: int) -> Iterator[Report]:
    """Yield reports as they come; those that a busy machine may have disturbed are graded again, alone, at the end."""
    again: list[Submission] = []
    for submission, outcome in _outcomes(submissions, settings, jobs):
        if outcome.disturbed:
            again.append(submission)
        else:
            yield outcome.report
    for _, outcome in _outcomes(again, settings, jobs=1):
        yield outcome.report


def _outcomes(submissions: Sequence[Submission], settings: Settings, jobs: int) -> Iterator[tuple[Submission, Outcome]]:
    stop = threading.Event()
    stoppable = replace(settings, stop=stop)
    with ThreadPoolExecutor(jobs, thread_name_prefix="slot") as pool:
        waiting: dict[Future[Outcome], Submission] = {
            pool.submit(grade, submission, stoppable): submission for submission in submissions
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


def _write(report: Report, out: Path) -> None:
    folder = out / report.submission.id
    write_atomically(folder / "report.student.json", as_json(for_student(report)))
    write_atomically(folder / "report.json", as_json(report))
