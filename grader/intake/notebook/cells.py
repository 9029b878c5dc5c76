"""The code cells of a notebook, of any version of the format."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from grader.intake.base import Problem, Refused
from grader.intake.names import shown

_MARKER = re.compile(r"^[ \t]*#[ \t]*exercise:[ \t]*([\w.]+)", re.MULTILINE | re.IGNORECASE)
_MOST_CELLS = 5_000
_SAVE = "open it in Jupyter, save it, and hand in again"


class NoReaderError(Exception):
    """This installation cannot read notebooks."""

    def problem(self, file: str) -> Problem:
        """Return the problem that it is: none of the student's."""
        hint = "this is no fault of the submission: `pip install 'rowwise[notebook]'`, and grade again"
        return Problem(shown(file), "it is a notebook, and this installation cannot read any", hint, ours=True)


@dataclass(frozen=True)
class Cell:
    """A code cell.

    Args:
        number: Its place in the notebook, counted from 1, texts too.
        source: Its text.
        labels: What its tags and its marker comments say that it is.
        is_test: Whether the course made it to test others.
    """

    number: int
    source: str
    labels: frozenset[str]
    is_test: bool = False


def code_cells(name: str, content: bytes, most: int) -> list[Cell]:
    """Return the code cells of a notebook.

    Args:
        name: The name of the notebook.
        content: The notebook.
        most: Bytes that its code may have.

    Raises:
        Refused: It is no notebook, or not one of Python, or too large.
        NoReaderError: This installation cannot read notebooks.
    """
    notebook = _parsed(name, content)
    if (language := _language(notebook)) not in ("", "python"):
        raise Refused(shown(name), f"it is a notebook in {shown(language)}, not in Python", "hand in one in Python")
    cells = notebook.get("cells")
    if not isinstance(cells, Sequence) or len(cells) > _MOST_CELLS:
        raise Refused(shown(name), f"it has no list of cells, or more than {_MOST_CELLS}", _SAVE)
    found = list(_code(name, cells))
    if sum(len(cell.source) for cell in found) > most:
        raise Refused(shown(name), f"its code is larger than {most // 1024} KiB", "only code belongs in it, no data")
    return found


def _parsed(name: str, content: bytes) -> Mapping[str, object]:
    try:
        from nbformat import convert, reader  # noqa: PLC0415 - an extra, and few hand in a notebook
    except ImportError as error:
        raise NoReaderError from error
    try:
        with _quiet():
            notebook = convert(reader.reads(content.decode("utf-8-sig")), 4)
    except (MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:  # what the bytes of a stranger lead it to raise may be anything
        raise Refused(shown(name), f"it is no notebook that can be read ({type(error).__name__})", _SAVE) from error
    if not isinstance(notebook, Mapping):
        raise Refused(shown(name), "it is no notebook", _SAVE)
    return notebook


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the reader from warning of what its later versions will refuse, and from logging what a stranger wrote."""
    logger = logging.getLogger("traitlets")
    before, logger.disabled = logger.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.disabled = before


def _language(notebook: Mapping[str, object]) -> str:
    metadata = notebook.get("metadata")
    if not isinstance(metadata, Mapping):
        return ""
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(part)
        if isinstance(about, Mapping) and isinstance(language := about.get(key), str):
            return language.casefold()
    return ""


def _code(name: str, cells: Sequence[object]) -> Iterator[Cell]:
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, Mapping):
            raise Refused(shown(name), f"cell {number} is none", _SAVE)
        source = cell.get("source", "")
        if not isinstance(source, str):
            raise Refused(shown(name), f"cell {number} has no text", _SAVE)
        if cell.get("cell_type") == "code":
            whole = source.encode("utf-8", "replace").decode()  # half a surrogate pair is no character
            text = whole.replace("\r\n", "\n").replace("\r", "\n")
            yield Cell(number, text, _labels(cell, text), _is_test(cell))


def _labels(cell: Mapping[str, object], source: str) -> frozenset[str]:
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, Mapping) else None
    said = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
    grade_id = _nbgrader(cell).get("grade_id")
    return frozenset([*said, *_MARKER.findall(source), *([grade_id] if isinstance(grade_id, str) else [])])


def _is_test(cell: Mapping[str, object]) -> bool:
    about = _nbgrader(cell)
    return about.get("grade") is True and about.get("solution") is not True


def _nbgrader(cell: Mapping[str, object]) -> Mapping[str, object]:
    metadata = cell.get("metadata")
    about = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
    return about if isinstance(about, Mapping) else {}
