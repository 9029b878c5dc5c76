"""A slice loses a border, an index one of its parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.verify.mutants.code import Code, Edit


def indices(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`a[1:]` becomes `a[:]`, and `a[:, None]` becomes `a[:]` and `a[None]`."""
    if isinstance(node, ast.Slice):
        for border in (node.lower, node.upper, node.step):
            if border is not None:
                yield code.replaced(border, "")
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
        for number in range(len(node.slice.elts)):
            yield code.without(node.slice.elts, number)
