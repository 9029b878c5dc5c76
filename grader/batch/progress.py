"""Progress on stderr: a bar on a terminal, a line now and then elsewhere, a table at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from grader.batch.finished import Finished, Line
from grader.batch.tally import Tally
from grader.escape.terminal import line

_LINE_EVERY_SECONDS = 10.0


@contextmanager
def progress(tally: Tally, console: Console) -> Iterator[Callable[[Finished], None]]:
    """Show how far a run is; the yielded function is told of each submission."""
    if console.is_terminal:
        with _bar(console) as bar:
            task = bar.add_task("grading", total=tally.total)

            def tell(each: Finished) -> None:
                tally.add(each)
                bar.update(task, advance=1, description=tally.told())

            yield tell
    else:
        yield _lines(tally, console)


def _bar(console: Console) -> Progress:
    columns = (BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


def _lines(tally: Tally, console: Console) -> Callable[[Finished], None]:
    last = time.monotonic()

    def tell(each: Finished) -> None:
        nonlocal last
        tally.add(each)
        now = time.monotonic()
        if now - last >= _LINE_EVERY_SECONDS:
            last = now
            console.print(f"graded {tally.told()}", markup=False, highlight=False, soft_wrap=True)

    return tell


def table(lines: Sequence[Line]) -> Table:
    """Return the class as a table: status and score of each submission, and the mistakes that were named."""
    shown = Table(title_justify="left", expand=False)
    shown.add_column("submission")
    shown.add_column("status")
    shown.add_column("score", justify="right")
    shown.add_column("what was seen", overflow="fold")
    for row, seen in sorted(((each.row, each.seen) for each in lines), key=lambda pair: pair[0].id):
        score = "no score" if row.score is None else f"{row.score:.2f} / {row.points:g}"
        shown.add_row(*map(_text, (row.id, row.status, score, seen)))
    return shown


def _text(cell: str) -> Text:
    # Not markup: what a student chose to call something is shown as it is. Text alone would let escapes through.
    return Text(line(cell))
