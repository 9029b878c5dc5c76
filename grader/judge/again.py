"""A judge that failed through no fault of submission or course is followed by a fresh one, once."""

from __future__ import annotations

import threading
import time

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.judge.run import RunSuite, run_suite
from grader.judge.steady import with_first_words
from grader.model.evidence import Evidence


def judged(
    job: Job, assignment: Assignment, stop: threading.Event | None = None, run: RunSuite = run_suite
) -> Evidence:
    """Have a submission judged, and judged once more where the first judge met a fault of ours.

    A worker that was killed from outside counts as such a fault: its second attempt within the same session gives
    the right verdict, but what the first one had printed and remembered is not what an undisturbed run has.

    Args:
        job: What to judge.
        assignment: The assignment.
        stop: When set, judges are killed.
        run: Judges it once.

    Raises:
        Stopped: `stop` was set.
    """
    started = time.perf_counter()
    first = run(job, assignment, stop)
    lost = time.perf_counter() - started
    if first.course_fault or not (first.problem or first.worker_killed):
        return first
    second = with_first_words(first, run(job, assignment, stop))
    if second.problem is None or second.course_fault:
        return second.model_copy(update={"timings": second.timings | {"attempt given up": lost}})
    if first.problem is None:
        return first
    return second.model_copy(update={"problem": _both(first.problem, second.problem)})


def _both(first: str, second: str) -> str:
    return f"twice: {first}" if first == second else f"{first}\nand again, in a fresh judge: {second}"
