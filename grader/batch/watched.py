"""A run as somebody watches it: how far it is, what came of it, and what had to be done."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console

from grader.batch.finished import Finished, How, Line
from grader.batch.notes import interrupted, work_done
from grader.batch.progress import progress, table
from grader.batch.tally import Tally

_SHOWN_WHOLE = 200


def watched(
    run: Generator[Finished, None, None],
    total: int,
    out: Path,
    log: Console,
    machine: Callable[[Finished], None],
) -> list[Line]:
    """Take all that a run yields, and show how it goes and what came of it, also where it is stopped.

    Args:
        run: The run.
        total: How many submissions it has.
        out: Where reports go.
        log: Where to show it.
        machine: Told of each submission as well.

    Raises:
        KeyboardInterrupt: The run was stopped; the words say how far it came.
    """
    finished: list[Finished] = []
    tally = Tally(total)
    try:
        with progress(tally, log) as show, closing(run) as graded:
            for each in graded:
                finished.append(each)
                show(each)
                machine(each)
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(interrupted(len(finished), total, out)) from error
    finally:
        if shown := _worth_showing(finished):
            log.print(table([each.line for each in shown]))
    if done := work_done(tally):
        log.print(done, markup=False, highlight=False, soft_wrap=True)
    return [each.line for each in finished]


def _worth_showing(finished: Sequence[Finished]) -> Sequence[Finished]:
    """All of a class that fits a few screens; of a larger one, what is not as it was."""
    if len(finished) <= _SHOWN_WHOLE:
        return finished
    return [each for each in finished if each.how is not How.LEFT]
