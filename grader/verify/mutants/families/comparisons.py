"""A comparison moves its border, or turns round."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from grader.verify.mutants.code import Code, Edit

_SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}

_PARTNERS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
}


def comparisons(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`a < b` becomes `a <= b` and `a >= b`; `a == b` becomes `a != b`."""
    if isinstance(node, ast.Compare):
        for (left, right), operator in zip(pairwise([node.left, *node.comparators]), node.ops, strict=True):
            symbol = _SYMBOLS[type(operator)]
            for partner in _PARTNERS[symbol]:
                yield code.between(symbol, left, right, partner)
