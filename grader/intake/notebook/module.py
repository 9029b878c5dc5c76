"""The module that is made of a notebook's cells."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from grader.intake.base import Problem
from grader.intake.names import shown
from grader.intake.notebook.cells import Cell
from grader.intake.notebook.notes import Piece, Placed, problems_of
from grader.intake.notebook.plain import Plain, defines, is_future, is_import, lines_of

WHOLE = frozenset({"rowwise", "submission"})
# Two lines, for in either of the first two a comment of the student's could say how the file is encoded.
_HEAD = ("# Made of the code cells of a notebook, each in the lines", "# that follow its number.")


@dataclass(frozen=True)
class Module:
    """A module that was made of cells.

    Args:
        name: Its file.
        lines: Its lines.
        places: Of each cell, the first and the last of its lines here.
        problems: What its student should know.
    """

    name: str
    lines: Sequence[str]
    places: Sequence[Placed]
    problems: tuple[Problem, ...]

    @property
    def content(self) -> bytes:
        """The module as a file."""
        return "".join(f"{line}\n" for line in self.lines).encode()


def is_marked(cell: Cell, module: str, *, whole: bool) -> bool:
    """Whether a cell says that it belongs to a module.

    Args:
        cell: The cell.
        module: The module, without `.py`.
        whole: Whether a mark that names no module stands for this one.
    """
    own = any(label in (module, f"{module}.py") or label.startswith(f"{module}.") for label in cell.labels)
    return own or (whole and bool(cell.labels & WHOLE))


def made(notebook: str, name: str, cells: Sequence[tuple[Cell, Plain]], *, whole: bool) -> Module | None:
    """Return the module of a name that a notebook holds; None where it holds none.

    Args:
        notebook: The notebook's name.
        name: The module's file.
        cells: The notebook's code cells, each with its text as Python.
        whole: Whether the notebook is this module's: then marks that name none stand for it, and without marks all of it does.
    """
    stem = name.removesuffix(".py")
    marked = {cell.number for cell, text in cells if is_marked(cell, stem, whole=whole) or text.writes == name}
    if not marked and not whole:
        return None
    pieces = [_piece(cell, text, marked) for cell, text in cells]
    if not any(piece.body for piece in pieces):
        return None
    lines, places = _assembled(pieces)
    problems = problems_of(shown(notebook), name, pieces, places, marked=bool(marked))
    return Module(name, lines, places, tuple(problems))


def _piece(cell: Cell, text: Plain, marked: Collection[int]) -> Piece:
    """Take a marked cell whole, and its imports of any other; where none is marked, whatever defines something."""
    idle = set(text.magics)
    python = tuple(each for each in text.body if not idle.issuperset(lines_of(each)))
    if marked:
        body = python if cell.number in marked else tuple(filter(is_import, python))
    else:
        body = () if cell.is_test or text.writes else tuple(filter(defines, python))
    taken = _with_neighbours({number for each in body for number in lines_of(each)}, text.body)
    code = {number for each in text.body for number in lines_of(each)}
    dropped = tuple(sorted((code - taken) | idle))
    return Piece(cell, text, frozenset(taken), body, dropped)


def _with_neighbours(taken: set[int], body: Sequence[ast.stmt]) -> set[int]:
    """Add the lines of statements that begin or end in a line that is taken: no line can be taken in part."""
    for each in (*body, *reversed(body)):
        if not taken.isdisjoint(lines_of(each)):
            taken.update(lines_of(each))
    return taken


def _assembled(pieces: Sequence[Piece]) -> tuple[list[str], list[Placed]]:
    future = dict.fromkeys(ast.unparse(each) for piece in pieces for each in piece.body if is_future(each))
    lines, places = [*_HEAD, *future], list[Placed]()
    # Cells are run in any order, and imports first: a module has them first too, wherever their cell stands.
    for piece in sorted((each for each in pieces if each.body), key=lambda each: not all(map(is_import, each.body))):
        hoisted = {number for each in piece.body if is_future(each) for number in lines_of(each)}
        lines += ["", f"# cell {piece.cell.number}"]
        first = len(lines) + 1
        # Each line keeps its place in the cell, so that the one can be counted from the other.
        kept = piece.keep - hoisted
        lines += [_line(line, kept=number in kept) for number, line in enumerate(piece.text.lines, start=1)]
        places.append(Placed(piece.cell.number, first, len(lines)))
    return lines, sorted(places, key=lambda each: each.cell)


def _line(line: str, *, kept: bool) -> str:
    return line if kept or not line.strip() or line.lstrip().startswith("#") else f"# {line}"
