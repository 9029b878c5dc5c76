"""Lines as rows of a terminal: none wider than it, what is carried over a little further in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells

from grader.escape.terminal import line as escaped

# A wide character, with what may not begin a row after it and what may not end one before it; or a word with the space after it.
_PIECE = re.compile(r"[「『（《]*[\u2e80-\uffef][，。：；？！、」』）》…]*\s*|[^\s\u2e80-\uffef]+\s*|\s+")  # noqa: RUF001  # Chinese punctuation
_INDENT = 4
_NARROWEST = 12


def folded(text: str, width: int) -> Sequence[str]:
    """Return a line as rows of at most `width` columns, what is carried over indented as the line and a little more."""
    rows = list(_rows(escaped(text), max(width, _NARROWEST)))
    return rows or [""]


def _rows(text: str, width: int) -> Iterator[str]:
    plain = text.lstrip(" ")
    indent = min(len(text) - len(plain), width // 2)
    row = " " * indent
    # What is carried over stands a little further in.
    hanging = min(indent + (2 if indent else _INDENT), width // 2)
    empty = True
    for piece in (part for whole in _pieces(plain) for part in _cut(whole, width - hanging)):
        if empty or cell_len(row) + cell_len(piece.rstrip()) <= width:
            row, empty = row + piece, False
        else:
            yield row.rstrip()
            row = " " * hanging + piece.lstrip()
    yield row.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """The parts that a row may end after: words, and the characters of Chinese with the punctuation that belongs to them."""
    yield from (found[0] for found in _PIECE.finditer(text))


def _cut(piece: str, width: int) -> Iterator[str]:
    """A piece in parts that fit into a row, each by itself."""
    while cell_len(piece.rstrip()) > width:
        head = chop_cells(piece, width)[0]
        yield head
        piece = piece[len(head) :]
    yield piece
