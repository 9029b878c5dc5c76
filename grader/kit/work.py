"""A student's work: their files, and what each exercise's part of them is, beside the template that it began as."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from grader.model.manifest import Exercise
from grader.worker.source import decode

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Unreadable(Exception):  # noqa: N818  # it is a finding, and no fault of ours
    """A file that is no Python.

    Args:
        file: Its name.
        line: Where Python stops.
        said: What is wrong there.
    """

    def __init__(self, file: str, line: int | None, said: str) -> None:
        super().__init__(f"{file}, line {line}: {said}" if line else f"{file}: {said}")
        self.file = file
        self.line = line
        self.said = said


def parsed(file: str, content: bytes) -> tuple[str, ast.Module]:
    """Return the text of a program and its tree.

    Raises:
        Unreadable: It is no Python.
    """
    try:
        text = decode(file, content)
        return text, ast.parse(text)
    except SyntaxError as error:
        raise Unreadable(file, error.lineno, error.msg) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(file, None, str(error) or "it is nested too deeply") from None


def definitions(tree: ast.Module) -> Iterator[tuple[str, Definition]]:
    """Yield name and node of what a module defines, methods with their class's name before a dot."""
    for node in tree.body:
        if isinstance(node, Definition):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{each.name}", each) for each in node.body if isinstance(each, Definition))


@lru_cache(maxsize=64)
def parts(content: bytes, file: str) -> dict[str, str]:
    """Return what each definition of a program says, whatever its comments and blank lines; under "" all that is no definition.

    Raises:
        Unreadable: It is no Python.
    """
    _, tree = parsed(file, content)
    found = {name: ast.dump(node) for name, node in definitions(tree)}
    return found | {"": "\n".join(ast.dump(node) for node in tree.body if not isinstance(node, Definition))}


def is_bare(exercise: Exercise, mine: dict[str, str], original: dict[str, str]) -> bool:
    """Return whether everything that an exercise asks for is still as in the template."""
    return all(mine.get(name) == original.get(name) for name in exercise.names)
