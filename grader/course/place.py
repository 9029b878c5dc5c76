"""Where to look: the lines of a student's files in which an exercise is written. They are read, never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.model.manifest import Exercise


@dataclass(frozen=True)
class Place:
    """Where a function, class or method of an exercise begins.

    Args:
        name: Its name.
        file: The student's file.
        line: The line of its `def` or `class`, counted from 1.
    """

    name: str
    file: str
    line: int


def places(exercise: Exercise, files: Mapping[str, bytes]) -> list[Place]:
    """Return where each function, class or method of an exercise is written; one that is made in another way is left out.

    Args:
        exercise: The exercise.
        files: The student's files, by name.
    """
    file = f"{exercise.module}.py"
    lines = dict(definitions(files.get(file, b"")))
    return [Place(name, file, lines[name]) for name in exercise.names if name in lines]


def definitions(source: bytes) -> Iterator[tuple[str, int]]:
    """Yield name and line of what a module defines, methods with their class's name before a dot, in order: of two with one name, the later one counts, as in Python."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name, statement.lineno
        if isinstance(statement, ast.ClassDef):
            methods = [each for each in statement.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
            yield from ((f"{statement.name}.{method.name}", method.lineno) for method in methods)


def calls_of(source: bytes, function: str) -> set[str]:
    """Return the names of what a function of a module calls by its plain name; none where there is no such function."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return set()
    inner = (
        node for each in body if isinstance(each, ast.FunctionDef) and each.name == function for node in ast.walk(each)
    )
    return {node.func.id for node in inner if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
