"""A reference as text, as lines and as a syntax tree, with nothing of it lost or normalised."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from grader.model.errors import CourseError

BOM = "\ufeff"
# Python's own line ends. `str.splitlines` also splits at form feeds and at others that may stand inside a line.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def split_lines(text: str) -> list[str]:
    """Return the lines with their ends, which joined give the text again."""
    return [match[0] for match in _LINE.finditer(text)]


def tokens(lines: list[str]) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens; every line end is a line feed to the tokenizer, so that it counts lines as `split_lines` does."""
    return tokenize.generate_tokens(io.StringIO("".join(line.rstrip("\r\n") + "\n" for line in lines)).readline)


def logical_lines(lines: list[str]) -> list[int]:
    """Return the lines, counted from 1, in which a statement or a clause such as `else:` begins."""
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    starts, fresh = [], True
    for token in tokens(lines):
        if token.type == tokenize.NEWLINE:
            fresh = True
        elif fresh and token.type not in layout:
            starts.append(token.start[0])
            fresh = False
    return starts


def indent_of(line: str) -> str:
    """Return the white space a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def first_line(statement: ast.stmt) -> int:
    """Return the line a statement begins in, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def last_line(statement: ast.stmt) -> int:
    """Return the line a statement ends in."""
    return statement.end_lineno or statement.lineno


def parse(text: str, where: Path | str) -> ast.Module:
    """Return the syntax tree of a text that compiles.

    Raises:
        CourseError: It does not compile.
    """
    try:
        compile(text, str(where), "exec", dont_inherit=True)
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:  # ValueError: a lone surrogate, which no file can hold
        line = getattr(error, "lineno", None)
        raise CourseError(
            f"not valid Python: {getattr(error, 'msg', error)}",
            hint="the reference must run before a template can be made of it",
            where=where,
            line=line,
        ) from error


def read(path: Path) -> str:
    """Return a reference's text, line ends and byte order mark as they are.

    Raises:
        CourseError: There is no such file, or it is not UTF-8.
    """
    try:
        data = path.read_bytes()
        return data.decode("utf-8")
    except FileNotFoundError as error:
        raise CourseError(
            "no such reference", hint="an assignment's files are made from reference/<module>.py", where=path
        ) from error
    except UnicodeDecodeError as error:
        line = len(split_lines(error.object[: error.start].decode("utf-8") + "x"))
        raise CourseError(
            f"byte 0x{error.object[error.start]:02x} is not UTF-8", hint="save the file as UTF-8", where=path, line=line
        ) from error
