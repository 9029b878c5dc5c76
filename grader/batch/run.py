"""Grade many submissions: a thread for each that is under way, waiting for its judge."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

from grader.batch.finished import Finished, How
from grader.batch.folder import held, write_report
from grader.batch.ledger import USUAL, Keeping, Ledger
from grader.batch.summary import Asked, summarise
from grader.batch.summary_files import write_summary
from grader.gradebook.book import FILE_NAME, Book
from grader.intake.base import Submission
from grader.judge.run import Stopped
from grader.model.errors import CourseError, GraderError
from grader.model.evidence import Evidence
from grader.model.report import SummaryRow
from grader.pipeline.grade import Outcome, grade
from grader.pipeline.settings import Settings

Waiting = deque[tuple[Submission, Sequence[Evidence]]]
_AHEAD = 3


def grade_all(
    submissions: Sequence[Submission],
    settings: Settings,
    *,
    jobs: int,
    out: Path,
    keeping: Keeping = USUAL,
) -> Generator[Finished, None, None]:
    """Grade every submission, write its reports, and yield each when it is on disk.

    Whatever is finished when the run ends, for any reason, stays and stands in the summary.

    Args:
        submissions: The class. A list is emptied: what is finished takes no memory.
        settings: What is the same for all.
        jobs: How many are under way at once.
        out: Where to write.
        keeping: How results are kept.

    Raises:
        UsageError: The folder cannot be written to, or another run is writing there.
        GraderError: A report could not be written; those before it stay.
        CourseError: The course is at fault, so no further submission could be graded either.
        KeyboardInterrupt: The run was interrupted.
    """
    started = time.perf_counter()
    finished: list[SummaryRow] = []
    ids = [submission.id for submission in submissions]
    asked = Asked(ids, keeping.left_out, keeping.unmatched, keeping.absent)

    def summary(*, interrupted: bool = False) -> None:
        if finished:
            ids, seconds = [graded.assignment.id for graded in settings.graded], time.perf_counter() - started
            write_summary(out, summarise(finished, ids, seconds, asked=asked, interrupted=interrupted))

    with held(out, asked.ids), Book(keeping.file or out / FILE_NAME) as book:
        ledger = Ledger(book, settings, out, keeping)
        try:
            for each in _finished(_taken(submissions), settings, ledger, jobs, out):
                finished.append(each.row)
                yield each
        except BaseException as error:
            # What ended the run is what the reader has to hear of, not that the summary met the same.
            with contextlib.suppress(GraderError):
                # No fault is an interruption, by a signal or by whoever takes no more reports.
                summary(interrupted=not isinstance(error, Exception))
                ledger.close(ended=False)
            raise
        summary()
        ledger.close(ended=True)


def _taken(submissions: Sequence[Submission]) -> deque[Submission]:
    """The submissions, held by nobody else."""
    taken = deque(submissions)
    if isinstance(submissions, list):
        submissions.clear()
    return taken


def _finished(
    submissions: deque[Submission], settings: Settings, ledger: Ledger, jobs: int, out: Path
) -> Iterator[Finished]:
    waiting: Waiting = deque()
    while submissions:
        submission = submissions.popleft()
        if left := ledger.left(submission):
            yield left
        else:
            waiting.append((submission, ()))
    settings = replace(settings, recall=ledger.recall)
    for submission, outcome in _graded(waiting, settings, jobs):
        why = ledger.why(submission, outcome)
        ledger.keep(submission, outcome)
        write_report(out, outcome.report)
        line = ledger.note(submission, outcome.report)
        how = How.JUDGED if any(outcome.judged) or not outcome.judged else How.SCORED
        yield Finished(line, how, why, outcome.report.timings.get("total", 0.0))


def _graded(waiting: Waiting, settings: Settings, jobs: int) -> Iterator[tuple[Submission, Outcome]]:
    """Yield outcomes as they come; those that a busy machine may have disturbed are graded again, alone, at the end."""
    again: Waiting = deque()
    for submission, outcome in _outcomes(waiting, settings, jobs):
        if outcome.disturbed:
            again.append((submission, outcome.evidence))
        else:
            yield submission, outcome
    yield from _outcomes(again, settings, jobs=1)


def _outcomes(waiting: Waiting, settings: Settings, jobs: int) -> Iterator[tuple[Submission, Outcome]]:
    """Yield submissions as they are graded, each given with what was found before, if anything was."""
    stop = threading.Event()
    with ThreadPoolExecutor(jobs, thread_name_prefix="slot") as pool:
        stoppable = replace(settings, stop=stop)
        grading: dict[Future[Outcome], Submission] = {}
        try:
            while waiting or grading:
                # No more than can be told soon: what is finished waits in memory.
                while waiting and len(grading) < _AHEAD * jobs:
                    submission, before = waiting.popleft()
                    grading[pool.submit(grade, submission, stoppable, before)] = submission
                wait(grading, return_when=FIRST_COMPLETED)
                for future in [each for each in grading if each.done()]:
                    yield grading.pop(future), _sound(future.result())
        except Stopped as error:
            raise KeyboardInterrupt from error
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _sound(outcome: Outcome) -> Outcome:
    if outcome.course_fault is not None:
        raise CourseError(outcome.course_fault, hint="`grader verify` tells what is wrong with a course")
    return outcome
