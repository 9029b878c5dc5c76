"""A statement is dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from grader.verify.mutants.code import Code, Edit
from grader.verify.mutants.walk import is_about_warnings

_KEPT = (ast.Pass, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def statements(node: ast.AST, code: Code) -> Iterator[Edit]:
    """A statement becomes `pass`; `with a:` becomes `if True:`.

    Not one that gives a name its only value: without it the function could but raise.
    """
    if not isinstance(node, ast.stmt):
        return
    if not isinstance(node, _KEPT) and not _binds_alone(node, code) and not code.source(node).startswith("elif"):
        yield code.replaced(node, "pass")
    if isinstance(node, ast.With) and not is_about_warnings(node):
        yield Edit(code.start(node), code.colon(node, node.body[0]), "if True")


def _binds_alone(statement: ast.stmt, code: Code) -> bool:
    function = code.function(statement)
    own = set(ast.walk(statement))
    elsewhere = _stored(node for node in ast.walk(function) if node not in own)
    elsewhere |= {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return not _stored(own) <= elsewhere


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
