"""Progress on stderr: a bar with an ETA on a terminal, a line now and then elsewhere, a table at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from grader.escape.terminal import line
from grader.model.report import ExerciseReport, Report
from grader.model.verdict import Status

_LINE_EVERY_SECONDS = 10.0
_TOLD = 4


@contextmanager
def progress(total: int, console: Console) -> Iterator[Callable[[Report], None]]:
    """Show how far a run is; the yielded function is told of each report."""
    if console.is_terminal:
        with _bar(console) as bar:
            task = bar.add_task("grading", total=total)
            yield lambda report: bar.update(task, advance=1, description=f"{line(report.submission.id):<16.16}")
    else:
        yield _lines(total, console)


def _bar(console: Console) -> Progress:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("ETA"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True)


def _lines(total: int, console: Console) -> Callable[[Report], None]:
    started = last = time.monotonic()
    count = 0

    def tell(report: Report) -> None:
        nonlocal last, count
        del report
        count += 1
        now = time.monotonic()
        if now - last >= _LINE_EVERY_SECONDS:
            last = now
            left = (now - started) / count * (total - count)
            console.print(f"graded {count} of {total}, about {left:.0f} s left", markup=False)

    return tell


def table(reports: list[Report]) -> Table:
    """Return the class as a table: status and score of each submission, and the mistakes that were named."""
    shown = Table(title_justify="left", expand=False)
    shown.add_column("submission")
    shown.add_column("status")
    shown.add_column("score", justify="right")
    shown.add_column("what was seen", overflow="fold")
    for report in sorted(reports, key=lambda report: report.submission.id):
        score = "no score" if report.score is None else f"{report.score:.2f} / {report.points:g}"
        shown.add_row(*map(_text, (report.submission.id, report.status, score, _seen(report))))
    return shown


def _text(cell: str) -> Text:
    # Not markup: what a student chose to call something is shown as it is. Text alone would let escapes through.
    return Text(line(cell))


def _seen(report: Report) -> str:
    """What an instructor wants to know first: faults of ours, named mistakes, or what the exercises say."""
    exercises = [exercise for assignment in report.assignments for exercise in assignment.exercises]
    named = dict.fromkeys(
        name
        for exercise in exercises
        if exercise.diagnosis
        for diagnosis in (exercise.diagnosis, *exercise.also)
        for name in diagnosis.misconceptions
    )
    told = (Status.GRADER_ERROR, Status.IMPORT_ERROR)
    messages = dict.fromkeys(exercise.message for exercise in exercises if exercise.status in told and exercise.message)
    unnamed = [_unnamed(exercise) for exercise in exercises if exercise.status is not Status.PASSED]
    said = list(named or messages or unnamed)
    more = [f"and {len(said) - _TOLD} more"] if len(said) > _TOLD else []
    return "; ".join([*said[:_TOLD], *more])


def _unnamed(exercise: ExerciseReport) -> str:
    """An exercise whose mistake has no name: its status and, of a failed one, the first thing that a test saw."""
    told = (Status.FAILED, Status.PARTIAL)
    seen = next((test.message for test in exercise.tests if test.status is Status.FAILED), "")
    return f"{exercise.id}: {exercise.status}" + (f" ({seen:.80})" if seen and exercise.status in told else "")
