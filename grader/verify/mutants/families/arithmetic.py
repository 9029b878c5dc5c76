"""An operator becomes its partner of the same precedence."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.verify.mutants.code import Code, Edit

SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}

_PARTNERS = {
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "//": "*",
    "%": "//",
    "**": "*",
    "@": "*",
    "&": "|",
    "|": "&",
    "^": "|",
    "<<": ">>",
    ">>": "<<",
}


def arithmetic(node: ast.AST, code: Code) -> Iterator[Edit]:
    """`a + b` becomes `a - b`, and `a *= b` becomes `a /= b`."""
    if isinstance(node, ast.BinOp):
        symbol = SYMBOLS[type(node.op)]
        yield code.between(symbol, node.left, node.right, _PARTNERS[symbol])
    if isinstance(node, ast.AugAssign):
        symbol = SYMBOLS[type(node.op)]
        yield code.between(f"{symbol}=", node.target, node.value, f"{_PARTNERS[symbol]}=")
