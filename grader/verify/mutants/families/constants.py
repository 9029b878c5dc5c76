"""A number is off by one, a truth value turns round, a text is empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.verify.mutants.code import Code, Edit


def constants(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`2` becomes `3` and `1`, `-1` becomes `0` and `-2`, `True` becomes `False`, and a text the empty one."""
    value = _value(node)
    if isinstance(value, bool):
        yield code.replaced(node, repr(not value))
    elif isinstance(value, int | float) and not _is_negated(node, code):
        yield from (code.replaced(node, repr(near)) for near in (value + 1, value - 1) if near != value)
    elif isinstance(value, str | bytes) and value:
        yield code.replaced(node, repr(value[:0]))


def _value(node: ast.AST) -> object:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return -value if isinstance(value, int | float) else None
    return node.value if isinstance(node, ast.Constant) else None


def _is_negated(node: ast.AST, code: Code) -> bool:
    """Whether the number has a minus before it: then it is changed with it."""
    parent = code.parent(node)
    return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
