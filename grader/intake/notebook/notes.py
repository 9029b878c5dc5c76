"""What a student should know of how their notebook was read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from grader.intake.base import Problem
from grader.intake.names import shown
from grader.intake.notebook.cells import Cell
from grader.intake.notebook.plain import Plain, defined

_LISTED = 30


class Placed(NamedTuple):
    """Where a cell is in the module that was made of it: its number, and the first and the last of its lines there."""

    cell: int
    first: int
    last: int


@dataclass(frozen=True)
class Piece:
    """What is taken of a cell.

    Args:
        cell: The cell.
        text: The cell as Python.
        keep: The numbers of the lines that are taken.
        body: The statements that are taken.
        dropped: The numbers of lines with code that are not.
    """

    cell: Cell
    text: Plain
    keep: frozenset[int]
    body: tuple[ast.stmt, ...] = ()
    dropped: tuple[int, ...] = ()


def problems_of(
    file: str, module: str, pieces: Sequence[Piece], places: Sequence[Placed], *, marked: bool
) -> Iterator[Problem]:
    """Yield what a student should know of how a notebook was read: errors, what is there twice, what was left out, and where the rest is.

    Args:
        file: The notebook, fit to be shown.
        module: The file that was made of it.
        pieces: What was taken of each cell.
        places: Where it is in the module.
        marked: Whether only marked cells were taken.
    """
    yield from islice(_errors(file, pieces), _LISTED)
    yield from islice(_twice(file, pieces), _LISTED)
    if dropped := [_where(piece) for piece in pieces if piece.dropped]:
        reason = "cells without a mark" if marked else "what does more than define functions, classes and constants"
        hint = f"{reason} is not run: put what is to be graded into functions"
        yield Problem(file, f"left out of {module}: {_listed(dropped)}", hint)
    said = f"it was read as {module}: {_listed([_placed(*place) for place in places])}"
    yield Problem(file, said, "cells are counted from the top, texts too")


def _errors(file: str, pieces: Sequence[Piece]) -> Iterator[Problem]:
    for piece in pieces:
        if piece.text.error:
            line, message = piece.text.error
            said = f"cell {piece.cell.number}, line {line}: {shown(message)}; the cell was left out"
            yield Problem(file, said, "correct the cell, and hand in again")


def _placed(number: int, first: int, last: int) -> str:
    return f"line {first} is cell {number}" if first == last else f"lines {first} to {last} are cell {number}"


def _twice(file: str, pieces: Sequence[Piece]) -> Iterator[Problem]:
    where: dict[str, list[int]] = {}
    for piece in pieces:
        for name in defined(piece.body):
            where.setdefault(name, []).append(piece.cell.number)
    for name, cells in where.items():
        if len(cells) > 1:
            said = f"{shown(name)} is defined {len(cells)} times, in {_cells(cells)}: the last one counts"
            yield Problem(file, said, "delete those that are not meant")


def _cells(numbers: Sequence[int]) -> str:
    once = list(dict.fromkeys(numbers))
    if len(once) == 1:
        return f"cell {once[0]}"
    return f"cells {_listed([str(each) for each in once[:-1]], ', ')} and {once[-1]}"


def _where(piece: Piece) -> str:
    cell = f"cell {piece.cell.number}"
    if not piece.body:
        return cell
    return f"{cell}, {'line' if len(piece.dropped) == 1 else 'lines'} {_ranges(piece.dropped)}"


def _ranges(numbers: Sequence[int]) -> str:
    ends: list[list[int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return _listed([str(first) if first == last else f"{first} to {last}" for first, last in ends], ", ")


def _listed(parts: Sequence[str], between: str = "; ") -> str:
    more = f"{between}and {len(parts) - _LISTED} more" if len(parts) > _LISTED else ""
    return between.join(parts[:_LISTED]) + more
