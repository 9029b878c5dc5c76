"""An operand is left out, or changes places with the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.verify.mutants.code import Code, Edit
from grader.verify.mutants.families.arithmetic import SYMBOLS

_ORDER_MATTERS = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.LShift, ast.RShift)


def operands(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`a / b` becomes `a`, `b` and `b / a`; `a and b` becomes `a` and `b`; `-a` and `not a` become `a`."""
    if isinstance(node, ast.BinOp):
        left, right = code.operand(node.left), code.operand(node.right)
        yield code.replaced(node, left)
        yield code.replaced(node, right)
        if isinstance(node.op, _ORDER_MATTERS):
            # Parentheses, for the partner at its side may have been bound closer than the new one is.
            yield code.replaced(node, f"({right} {SYMBOLS[type(node.op)]} {left})")
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield code.replaced(node, code.operand(value))
    if isinstance(node, ast.UnaryOp):
        yield code.replaced(node, code.operand(node.operand))
