"""A condition always holds, or never; `and` and `or` change places."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from grader.verify.mutants.code import Code, Edit


def conditions(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`if a:` becomes `if True:` and `if False:`; `a and b` becomes `a or b`."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        tests = [node.test]
    if isinstance(node, ast.comprehension):
        tests = node.ifs
    for test in tests:
        yield from (code.replaced(test, fixed) for fixed in ("True", "False"))
    if isinstance(node, ast.BoolOp):
        symbol, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        yield from (code.between(symbol, *pair, other) for pair in pairwise(node.values))
