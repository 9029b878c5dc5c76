"""What is done along an axis is done along another; axes that would move stay."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.verify.mutants.code import Code, Edit

_NAMES = ("axis", "axes")
_ELSEWHERE = ("None", "0", "-1", "-2")
_MOVING = ("swapaxes", "transpose", "moveaxis", "reshape", "squeeze", "ravel")
_MOVED = ("T", "mT")


def axes(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`axis=-1` becomes `axis=0`, `axis=-2` and `axis=None`; `a.swapaxes(-1, -2)` and `a.T` become `a`."""
    if isinstance(node, ast.keyword) and node.arg in _NAMES:
        written = code.source(node.value)
        yield from (code.replaced(node.value, other) for other in _ELSEWHERE if other != written)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MOVING:
        module = isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "numpy", "torch")
        yield code.replaced(node, code.operand(node.args[0] if module else node.func.value))
    if isinstance(node, ast.Attribute) and node.attr in _MOVED:
        yield code.replaced(node, code.operand(node.value))
