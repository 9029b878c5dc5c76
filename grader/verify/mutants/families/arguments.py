"""An argument is left out, or changes places with its neighbour."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from grader.verify.mutants.code import Code, Edit

# Their first two arguments may stand in any order.
_SYMMETRIC = ("swapaxes", "maximum", "minimum", "logical_and", "logical_or", "array_equal")


def arguments(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`f(a, b, c=d)` becomes `f(a, b)`, `f(a, c=d)` and `f(b, a, c=d)`."""
    if not isinstance(node, ast.Call):
        return
    given: list[ast.AST] = sorted([*node.args, *node.keywords], key=code.start)
    for number, argument in enumerate(given):
        if isinstance(argument, ast.keyword) or (argument is node.args[-1] and len(node.args) > 1):
            yield code.without(given, number)
    symmetric = isinstance(node.func, ast.Attribute) and node.func.attr in _SYMMETRIC
    for one, other in () if symmetric else pairwise(node.args):
        if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred):
            (first, end), (start, last) = code.outer(one), code.outer(other)
            yield Edit(first, last, code.text[start:last] + code.text[end:start] + code.text[first:end])
