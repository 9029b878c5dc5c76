"""The text of a cell as Python: without what only Jupyter understands, and which of it does nothing but define."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.intake.base import MIB

# `%matplotlib inline`, `!pip install`, `files = !ls`, `softmax?`
_MAGIC = re.compile(r"(?P<indent>\s*)(?:(?:[\w, ]+=\s*)?[%!].*|\?{1,2}[\w.]+\s*|[\w.]+\?{1,2}\s*)", re.DOTALL)
_CELL_MAGIC = re.compile(r"%%(?P<name>\w+)[ \t]*(?P<rest>.*)")
_OF_PYTHON = {"time", "timeit", "capture", "prun"}
_WRITES = {"writefile", "file"}
# To find a line of Jupyter's, all before it is read anew: so many lines, and fewer in a notebook of much code.
_MOST_MAGICS, _MOST_READ = 50, 8 * MIB
_MAKES_A_CONSTANT = {"float", "int", "complex", "bool", "tuple", "list", "dict", "set", "frozenset", "range"}


@dataclass(frozen=True)
class Plain:
    """A cell as Python.

    Args:
        lines: Its lines, those that only Jupyter understands made to do nothing.
        body: Its statements; none where it has an error.
        magics: The numbers of the lines that were made to do nothing.
        error: What is wrong with it, with the line; None where it can be read.
        writes: The file that it is to be written to, where it says so.
    """

    lines: tuple[str, ...]
    body: tuple[ast.stmt, ...] = ()
    magics: tuple[int, ...] = ()
    error: tuple[int, str] | None = None
    writes: str = ""


def plain_texts(sources: Sequence[str]) -> list[Plain]:
    """Return the cells of a notebook as Python. One for another language is all magic."""
    tries = max(2, min(_MOST_MAGICS, _MOST_READ // max(1, sum(map(len, sources)))))
    return [_plain(source, tries) for source in sources]


def _plain(source: str, tries: int) -> Plain:
    lines = source.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    magic = _CELL_MAGIC.fullmatch(lines[first].strip())
    if magic is None:
        return _parsed(lines, [], tries)
    if magic["name"] not in _OF_PYTHON | _WRITES:
        return Plain(tuple(lines), magics=tuple(range(1, len(lines) + 1)))
    lines[first] = f"# {lines[first]}"
    found = _parsed(lines, [] if magic["name"] in _WRITES else [first + 1], tries)
    writes = magic["rest"].removeprefix("-a ").strip() if magic["name"] in _WRITES else ""
    return Plain(found.lines, found.body, found.magics, found.error, writes)


def _parsed(lines: list[str], magics: list[int], tries: int) -> Plain:
    for _ in range(tries):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of invalid escapes and the like: they are for who wrote it
                body = ast.parse("\n".join(lines)).body
        except SyntaxError as error:
            number = error.lineno or 0
            found = _MAGIC.fullmatch(lines[number - 1]) if 0 < number <= len(lines) else None
            if found is None:
                return Plain(tuple(lines), magics=tuple(magics), error=(max(1, number), error.msg))
            lines[number - 1] = f"{found['indent']}pass  # {lines[number - 1].strip()}"
            magics.append(number)
        except (ValueError, RecursionError, MemoryError) as error:
            return Plain(tuple(lines), magics=tuple(magics), error=(1, f"it cannot be read ({type(error).__name__})"))
        else:
            return Plain(tuple(lines), tuple(body), tuple(sorted(magics)))
    return Plain(tuple(lines), magics=tuple(magics), error=(1, f"{tries} lines and more are for Jupyter alone"))


def lines_of(statement: ast.stmt) -> range:
    """Return the numbers of a statement's lines, its decorators' among them."""
    decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
    first = min([statement.lineno, *(each.lineno for each in decorators)])
    return range(first, (statement.end_lineno or statement.lineno) + 1)


def is_import(statement: ast.stmt) -> bool:
    """Whether a statement is an import."""
    return isinstance(statement, ast.Import | ast.ImportFrom)


def is_future(statement: ast.stmt) -> bool:
    """Whether a statement is an import that has to stand before all others."""
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def defines(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but define: a function, a class, a constant, an import, or a choice among such."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or is_import(statement):
        return True
    if isinstance(statement, ast.Assign):
        return all(map(_is_name, statement.targets)) and _is_constant(statement.value)
    if isinstance(statement, ast.AnnAssign):
        return isinstance(statement.target, ast.Name) and (statement.value is None or _is_constant(statement.value))
    if isinstance(statement, ast.If):
        return _is_constant(statement.test) and all(map(defines, (*statement.body, *statement.orelse)))
    if isinstance(statement, ast.Try):
        inner = (*statement.body, *(each for handler in statement.handlers for each in handler.body))
        return all(map(defines, (*inner, *statement.orelse, *statement.finalbody)))
    return isinstance(statement, ast.Pass) or (isinstance(statement, ast.Expr) and _is_text(statement.value))


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant)


def _is_name(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return all(map(_is_name, target.elts))
    return isinstance(target, ast.Name)


def _is_constant(value: ast.expr) -> bool:
    """Whether a value takes no work to make: what calls functions, other than the names of plain types, or makes lists by loops, may."""
    return isinstance(value, ast.Lambda) or all(map(_is_idle, ast.walk(value)))


def _is_idle(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _MAKES_A_CONSTANT
    busy = (
        ast.Await,
        ast.Yield,
        ast.YieldFrom,
        ast.NamedExpr,
        ast.ListComp,
        ast.SetComp,
        ast.DictComp,
        ast.GeneratorExp,
    )
    return not isinstance(node, busy)


def defined(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the functions and classes that statements define, in order."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
