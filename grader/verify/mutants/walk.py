"""Which parts of a module are mutated: what the functions that a student writes compute, not what they say."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from grader.template.markers import Region
from grader.verify.mutants.code import Function

_WARNINGS = ("errstate", "catch_warnings")


def solutions(tree: ast.Module, regions: Sequence[Region]) -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module that hold or are part of a solution; all of them where nothing is marked.

    What is handed out in the template is no answer to an exercise, and so for no hidden test to judge.
    """
    for name, function in functions(tree):
        lines = range(function.lineno, (function.end_lineno or function.lineno) + 1)
        if not regions or any(region.begin <= lines[-1] and lines[0] <= region.end for region in regions):
            yield name, function


def functions(tree: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module and the methods of its classes, each with its dotted name."""
    for node in tree.body:
        if isinstance(node, Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")


def inside(function: Function) -> Iterator[ast.AST]:
    """Yield every node of a function's defaults and body that decides what it returns or refuses.

    Docstrings, annotations, texts put together for a message, the message of an exception and the control of warnings
    do not.
    """
    for default in [*function.args.defaults, *function.args.kw_defaults]:
        if default is not None:
            yield from _walk(default)
    for statement in function.body:
        yield from _walk(statement)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if _is_text(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in _silent(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _walk(child)


def _is_text(node: ast.AST) -> bool:
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or isinstance(node, ast.JoinedStr)


def _silent(node: ast.AST) -> tuple[str, ...]:
    """The fields of a node that do not decide anything."""
    if isinstance(node, ast.Raise):
        return ("exc", "cause")
    if isinstance(node, ast.With) and is_about_warnings(node):
        return ("items",)
    return ("annotation", "returns", "decorator_list")


def is_about_warnings(statement: ast.With) -> bool:
    """Whether a `with` only says which warnings are shown."""
    calls = [item.context_expr for item in statement.items]
    names = [call.func for call in calls if isinstance(call, ast.Call)]
    return len(names) == len(calls) and all(isinstance(n, ast.Attribute) and n.attr in _WARNINGS for n in names)
