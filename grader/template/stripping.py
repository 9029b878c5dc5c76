"""From a reference to a template: every solution gone, every other byte kept.

What becomes of a region depends on where it stands:

- inside a function: `raise NotImplementedError("<exercise>")`, indented as its markers. The outermost function or class
  around it, or the method if that is a class, must be one that an exercise names;
- outside every function, where the solutions' helpers stand: nothing, and the blank lines before it go with it.

Every function, class and method that an exercise names holds at least one region, in a function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.model.errors import CourseError
from grader.template.markers import Region, find_regions
from grader.template.placing import Definition, Place, place
from grader.template.source import BOM, parse, split_lines

_HINT = "put `# BEGIN SOLUTION` below its docstring and `# END SOLUTION` at its end"


def strip(source: str, names: Mapping[str, str], *, where: Path | str) -> str:
    """Return the template made from a reference.

    Args:
        source: The reference's text, line ends as they are in the file.
        names: Which exercise each function, class or method belongs to: `{"softmax": "attention.softmax"}`.
        where: The file, for messages.

    Returns:
        The template's text.

    Raises:
        CourseError: The reference or the template does not compile, a marker is broken (see `find_regions`), a region
            does not hold whole statements (see `place`), or regions and names do not match.
    """
    text = source.removeprefix(BOM)
    lines, tree = split_lines(text), parse(text, where)
    places = [(region, place(region, tree, lines, where)) for region in find_regions(text, where)]
    _refuse_strangers(places, names, where)
    _refuse_untouched(places, names, tree, where)
    for region, spot in reversed(places):
        _replace(lines, region, spot.exercise(names) if spot.in_function else None)
    stripped = "".join(lines)
    _require_compiles(stripped, where)
    return source[: len(source) - len(text)] + stripped


def _replace(lines: list[str], region: Region, exercise: str | None) -> None:
    first = region.begin - 1
    if exercise is None:
        while first and not lines[first - 1].strip(" \t\r\n"):
            first -= 1
        lines[first : region.end] = []
    else:
        last = lines[region.end - 1]
        line_end = last[len(last.rstrip("\r\n")) :]  # none at all where the file ends in its last marker
        lines[first : region.end] = [f'{region.indent}raise NotImplementedError("{exercise}"){line_end}']


def _refuse_strangers(places: list[tuple[Region, Place]], names: Mapping[str, str], where: Path | str) -> None:
    for region, spot in places:
        if spot.in_function and spot.exercise(names) is None:
            raise CourseError(
                f"a solution region in `{spot.owner}`, which no exercise names",
                hint="name it in assignment.toml, or put the whole helper between markers",
                where=where,
                line=region.begin,
            )


def _refuse_untouched(
    places: list[tuple[Region, Place]], names: Mapping[str, str], tree: ast.Module, where: Path | str
) -> None:
    held = {name for _, spot in places if spot.in_function for name in (spot.owner, f"{spot.owner}.{spot.method}")}
    lines = dict(_definitions(tree))
    for name, exercise in names.items():
        if name not in lines:
            raise CourseError(f"no function or class `{name}`, which {exercise} names", hint=_HINT, where=where)
        if name not in held:
            raise CourseError(
                f"`{name}`, which {exercise} names, holds no solution region", hint=_HINT, where=where, line=lines[name]
            )


def _definitions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield name and line of each function and class, and of the methods of each class."""
    for node in tree.body:
        if isinstance(node, Definition):
            yield node.name, node.lineno
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each.lineno) for each in node.body if isinstance(each, Definition))


def _require_compiles(stripped: str, where: Path | str) -> None:
    try:
        parse(stripped, where)
    except CourseError as error:
        raise CourseError(
            f"without its solutions it is {error.message}, in line {error.line} of the template",
            hint="a region holds whole statements, and a class or block needs one that stays",
            where=where,
        ) from error
