"""A function or dtype becomes its counterpart."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.verify.mutants.code import Code, Edit

_PAIRS = (
    ("max", "min"),
    ("maximum", "minimum"),
    ("any", "all"),
    ("float32", "float64"),
    ("isneginf", "isposinf"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("sum", "prod"),
    ("floor", "ceil"),
    ("argmax", "argmin"),
    ("tril", "triu"),
    ("sin", "cos"),
)
_PARTNERS = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}


def counterparts(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`np.max` becomes `np.min`, `any` becomes `all`, `np.float32` becomes `np.float64`."""
    if isinstance(node, ast.Attribute) and node.attr in _PARTNERS:
        end = code.end(node)
        yield Edit(end - len(node.attr), end, _PARTNERS[node.attr])
    # Other names are those of the course's own variables.
    if isinstance(node, ast.Name) and node.id in ("max", "min", "any", "all"):
        yield code.replaced(node, _PARTNERS[node.id])
