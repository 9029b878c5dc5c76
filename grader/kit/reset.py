"""Bring an exercise back to its template; what was there is kept."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

from grader.kit.lesson import Step
from grader.kit.state import FOLDER
from grader.kit.work import Unreadable, definitions, parsed
from grader.model.errors import UsageError
from grader.pipeline.write import write_atomically


def reset(step: Step, folder: Path) -> Path:
    """Put the template's functions in the place of an exercise's own, and return where the file as it was is kept.

    Every other line of the file stays. Where the file is no Python, nobody can tell where its functions end: then the whole
    file becomes the template.

    Raises:
        UsageError: The exercise is no function, or the kit has no template of it.
        GraderError: A file cannot be written.
    """
    module = step.exercise.module
    template = step.assignment.original(module)
    if not step.exercise.names or step.exercise.is_worksheet:
        raise UsageError(
            f"{step.id} is no function, so it has no template", hint="its handout says how to make its file"
        )
    if not template.is_file():
        raise UsageError("this kit has no template to go back to", where=template, hint="ask for a new kit")
    mine = folder / f"{module}.py"
    before = mine.read_bytes() if mine.is_file() else b""
    backup = _keep(before, mine.name, step.assignment.course)
    fresh = template.read_bytes()
    try:
        text, tree = parsed(mine.name, before)
    except Unreadable:
        write_atomically(mine, _lines(fresh.decode()))
        return backup
    write_atomically(mine, replaced(text, tree, *parsed(mine.name, fresh), step.exercise.names))
    return backup


def replaced(text: str, tree: ast.Module, fresh: str, template: ast.Module, names: Sequence[str]) -> str:
    """Return a text in which some definitions are those of another one.

    Args:
        text: The text, with its tree.
        tree: Likewise.
        fresh: The text that they come from, with its tree.
        template: Likewise.
        names: What to put back; of what is defined twice, the one that counts.
    """
    lines, theirs = text.splitlines(keepends=True), fresh.splitlines(keepends=True)
    mine, wanted = dict(definitions(tree)), dict(definitions(template))
    there = [name for name in names if name in mine]
    # From the last line to the first, so that line numbers hold.
    for name in sorted(there, key=lambda name: mine[name].lineno, reverse=True):
        lines[_lines_of(mine[name])] = theirs[_lines_of(wanted[name])]
    whole = [name for name in names if name not in mine and "." not in name]
    return "".join([*lines, *("\n\n" + "".join(theirs[_lines_of(wanted[name])]) for name in whole)])


def _lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> slice:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    return slice(first - 1, node.end_lineno)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _keep(content: bytes, name: str, course: Path) -> Path:
    """Write what a file held under a name that nothing has yet."""
    folder = course / FOLDER / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        path = folder / f"{number:03}-{name}"
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            number += 1
        else:
            return path
