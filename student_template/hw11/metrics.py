"""metrics.csv: a row for each logged step."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hw11.errors import HomeworkError
from hw11.folder import write, writing


class Row(NamedTuple):
    """One logged step: its loss before the update, the validation part's after it, and the learning rate."""

    step: int
    loss: float
    val_loss: float
    perplexity: float
    learning_rate: float


def start(path: Path, rows: Iterable[Row] = ()) -> None:
    """Write the header, and the rows that are known already."""
    write(path, "".join(map(_line, [Row._fields, *rows])))


def append(path: Path, row: Row) -> None:
    """Add a row.

    Raises:
        HomeworkError: The file cannot be written.
    """
    with writing(path), path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(_line(row))


def read(path: Path) -> list[Row]:
    """Return the rows.

    Raises:
        HomeworkError: There is no such file, or it holds something else.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            header, *lines = csv.reader(file)
        # A row that a crash cut short is none; the run goes on from a checkpoint that was made before it.
        whole = [line for line in lines if len(line) == len(Row._fields)]
        rows = [Row(int(step), *map(float, rest)) for step, *rest in whole]
    except (OSError, ValueError) as error:
        raise HomeworkError(f"cannot read {path}: {error}", hint="name a run's folder, as --out named it") from error
    if tuple(header) != Row._fields:
        raise HomeworkError(
            f"the columns of {path} are {','.join(header)}", hint=f"they should be {','.join(Row._fields)}"
        )
    return rows


def _line(values: Iterable[object]) -> str:
    """Return a line of CSV, floats with every digit they have."""
    return ",".join(value if isinstance(value, str) else repr(value) for value in values) + "\n"
