"""What a solution region stands in: whole statements of one block, in a function or outside every one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from grader.model.errors import CourseError
from grader.template.markers import Region
from grader.template.source import first_line, indent_of, last_line, logical_lines

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Place(NamedTuple):
    """The outermost function or class around a region, the method if that is a class, and whether a function is among those around it."""

    owner: str | None
    in_function: bool
    method: str | None = None

    def exercise(self, names: Mapping[str, str]) -> str | None:
        """Return the exercise that names what is around the region, the method before its class."""
        return names.get(f"{self.owner}.{self.method}") or names.get(str(self.owner))


def place(region: Region, tree: ast.Module, lines: list[str], where: Path | str) -> Place:
    """Return where a region stands.

    Raises:
        CourseError: It holds no statement, cuts through one, is indented otherwise than what it holds, or takes a
            docstring away.
    """
    starts = [line for line in logical_lines(lines) if region.begin < line < region.end]
    if not starts:
        raise CourseError(
            "the region holds no statement", hint="put the solution between its markers", where=where, line=region.begin
        )
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    _refuse_other_indents(region, starts, lines, where)
    _refuse_cuts(region, statements, lines, where)
    # `ast.walk` goes level by level, so the outermost comes first.
    around = [
        s for s in statements if isinstance(s, Definition) and s.lineno < region.begin <= starts[0] <= last_line(s)
    ]
    _refuse_docstring(starts[0], around, where)
    in_function = any(not isinstance(definition, ast.ClassDef) for definition in around)
    method = around[1].name if len(around) > 1 and isinstance(around[0], ast.ClassDef) else None
    return Place(around[0].name if around else None, in_function, method)


def _refuse_other_indents(region: Region, starts: list[int], lines: list[str], where: Path | str) -> None:
    indents = [indent_of(lines[line - 1]) for line in starts]
    wrong = [line for line, indent in zip(starts, indents, strict=True) if not indent.startswith(region.indent)]
    if indents[0] != region.indent:
        wrong = starts
    if wrong:
        raise CourseError(
            f"this line is indented otherwise than its region's markers in lines {region.begin} and {region.end}",
            hint="indent both markers as the statements between them",
            where=where,
            line=wrong[0],
        )


def _refuse_cuts(region: Region, statements: list[ast.stmt], lines: list[str], where: Path | str) -> None:
    """Refuse a statement that begins inside the region and ends outside, or the reverse, and is not around it."""
    for statement in statements:
        first, last = first_line(statement), last_line(statement)
        indent = indent_of(lines[first - 1])
        is_around = indent != region.indent and region.indent.startswith(indent)
        if region.begin < first < region.end < last or (first < region.begin < last < region.end and not is_around):
            raise CourseError(
                f"this statement, lines {first} to {last}, is cut by the region of lines {region.begin} to {region.end}",
                hint="a region holds whole statements: move the marker before or after this one",
                where=where,
                line=first,
            )


def _refuse_docstring(line: int, around: list[Definition], where: Path | str) -> None:
    if around and around[-1].body[0].lineno == line and ast.get_docstring(around[-1]) is not None:
        raise CourseError(
            f"the docstring of `{around[-1].name}` stands inside its region",
            hint="the docstring is the contract a student reads: begin the region below it",
            where=where,
            line=line,
        )
