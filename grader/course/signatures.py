"""What the functions that students write call their parameters, as the templates say. They are read, never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.course.assignment import Assignment

Signature = tuple[str, tuple[str, ...]]


def parameters(assignment: Assignment) -> dict[str, tuple[str, ...]]:
    """Return the positional parameters of each function, of each class and, by its own name alone, of each method.

    A method without its `self`. Where methods of several classes have one name and not the same parameters, none is told.
    """
    paths = [assignment.original(module) for module in assignment.manifest.programs]
    found = [each for path in paths if path.is_file() for each in _signatures(path.read_bytes())]
    of_name: dict[str, set[tuple[str, ...]]] = {}
    for name, names in found:
        of_name.setdefault(name, set()).add(names)
    return {name: next(iter(each)) for name, each in of_name.items() if len(each) == 1}


def _signatures(source: bytes) -> Iterator[Signature]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, _names(node)
        if isinstance(node, ast.ClassDef):
            for method in (each for each in node.body if isinstance(each, ast.FunctionDef)):
                yield node.name if method.name == "__init__" else method.name, _names(method)[1:]


def _names(node: ast.FunctionDef) -> tuple[str, ...]:
    return tuple(each.arg for each in (*node.args.posonlyargs, *node.args.args))
