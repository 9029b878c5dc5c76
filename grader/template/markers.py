"""Where the solutions stand: `# BEGIN SOLUTION` to `# END SOLUTION`, or nbgrader's form with `###`.

A marker is a comment with a line of its own. The same words in a string or a docstring are text. What only looks like a
marker is an error, for the solution it was meant to hide would be handed out.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grader.model.errors import CourseError
from grader.template.source import indent_of, split_lines, tokens

_EXACT = re.compile(r"(?:#|###) (BEGIN|END) SOLUTION\s*")
_ALIKE = re.compile(r"#+[\W_]*(BEGIN|END)[\W_]*SOLUTION", re.IGNORECASE)
_FORM = "write `# BEGIN SOLUTION` and `# END SOLUTION`, each alone on its line"


@dataclass(frozen=True)
class Region:
    """One solution: the lines of its two markers, counted from 1, and the white space before them."""

    begin: int
    end: int
    indent: str


class _Marker(NamedTuple):
    word: str
    line: int
    indent: str


def find_regions(text: str, where: Path | str) -> list[Region]:
    """Return the solution regions of a text that is valid Python, in order.

    Raises:
        CourseError: A marker is misspelt, shares its line, stands inside brackets, is nested, stray, unclosed or
            indented otherwise than its partner.
    """
    regions: list[Region] = []
    opened: _Marker | None = None
    for marker in _markers(text, where):
        if marker.word == "BEGIN":
            if opened:
                raise CourseError(
                    f"BEGIN SOLUTION inside the region that begins in line {opened.line}",
                    hint="end that region first: regions do not nest",
                    where=where,
                    line=marker.line,
                )
            opened = marker
        else:
            regions.append(_close(opened, marker, where))
            opened = None
    if opened:
        raise CourseError(
            "BEGIN SOLUTION is never ended", hint="add `# END SOLUTION` after it", where=where, line=opened.line
        )
    return regions


def _close(opened: _Marker | None, marker: _Marker, where: Path | str) -> Region:
    if opened is None:
        raise CourseError(
            "END SOLUTION without a BEGIN SOLUTION before it",
            hint="add the one that is missing, or take this one out",
            where=where,
            line=marker.line,
        )
    if marker.indent != opened.indent:
        raise CourseError(
            f"END SOLUTION is indented otherwise than the BEGIN SOLUTION in line {opened.line}",
            hint="indent both markers as the statements between them",
            where=where,
            line=marker.line,
        )
    return Region(opened.line, marker.line, opened.indent)


def _markers(text: str, where: Path | str) -> Iterator[_Marker]:
    lines = split_lines(text)
    for line, column, comment, depth in _comments(lines):
        exact = _EXACT.fullmatch(comment)
        if not exact and not _ALIKE.match(comment):
            continue
        if not exact:
            raise CourseError(f"{comment!r} is almost a solution marker", hint=_FORM, where=where, line=line)
        if depth or lines[line - 1][:column].strip():
            raise CourseError("a solution marker inside a statement", hint=_FORM, where=where, line=line)
        yield _Marker(exact[1], line, indent_of(lines[line - 1]))


def _comments(lines: list[str]) -> Iterator[tuple[int, int, str, int]]:
    """Yield line, column, text and bracket depth of each comment."""
    depth = 0
    for token in tokens(lines):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
        elif token.type == tokenize.COMMENT:
            yield *token.start, token.string, depth
