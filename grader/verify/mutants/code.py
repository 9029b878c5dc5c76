"""A module's source with its tree: what stands where, so that one place can be changed and all else stays."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Their source is put in parentheses where it moves into another expression.
_COMPOUND = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr, ast.UnaryOp)


class Edit(NamedTuple):
    """The characters from `start` to `end` replaced by `new`."""

    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """Return the text with the change made."""
        return text[: self.start] + self.new + text[self.end :]


class Code:
    """Source and tree of a module.

    Raises:
        SyntaxError: The text is not Python.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = text.splitlines(keepends=True)
        self._starts = [0, *accumulate(map(len, self._lines))]
        self._parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self._tokens = [
            (self._starts[token.start[0] - 1] + token.start[1], token.string)
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.string.strip() and token.type != tokenize.COMMENT
        ]

    def start(self, node: ast.AST) -> int:
        """The place of a node's first character."""
        return self._place(node.lineno, node.col_offset)  # type: ignore[attr-defined]  # asked of nodes that have a place

    def end(self, node: ast.AST) -> int:
        """The place behind a node's last character."""
        return self._place(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]  # likewise

    def source(self, node: ast.AST) -> str:
        """A node as it is written."""
        return self.text[self.start(node) : self.end(node)]

    def operand(self, node: ast.AST) -> str:
        """A node as it can be written within any other expression."""
        return f"({self.source(node)})" if isinstance(node, _COMPOUND) else self.source(node)

    def replaced(self, node: ast.AST, new: str) -> Edit:
        """A node replaced."""
        return Edit(self.start(node), self.end(node), new)

    def between(self, symbol: str, left: ast.AST, right: ast.AST, new: str) -> Edit:
        """An operator, of one word or two, that stands between two nodes, replaced."""
        first, last = self.end(left), self.start(right)
        words = symbol.split()
        found = [(at, text) for at, text in self._tokens if first <= at < last and text in words]
        return Edit(found[0][0], found[-1][0] + len(found[-1][1]), new)

    def without(self, items: Sequence[ast.AST], index: int) -> Edit:
        """One of several items between commas taken out, with its comma."""
        if len(items) == 1:
            return self.replaced(items[0], "")
        if index == 0:
            return Edit(self.outer(items[0])[0], self.outer(items[1])[0], "")
        return Edit(self.outer(items[index - 1])[1], self.outer(items[index])[1], "")

    def outer(self, item: ast.AST) -> tuple[int, int]:
        """From where to where one of several items between commas stands, with the parentheses around itself."""
        start, end = self.start(item), self.end(item)
        before = [token for token in self._tokens if token[0] < start]
        behind = [token for token in self._tokens if token[0] >= end]
        for left, right in zip(reversed(before), behind, strict=False):
            if (left[1], right[1]) != ("(", ")"):
                break
            start, end = left[0], right[0] + 1
        return start, end

    def colon(self, statement: ast.stmt, body: ast.stmt) -> int:
        """The place of the colon before the body of a compound statement."""
        return max(at for at, text in self._tokens if self.start(statement) <= at < self.start(body) and text == ":")

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that a node is part of."""
        return self._parents.get(node)

    def function(self, node: ast.AST) -> Function:
        """The outermost function around a node."""
        around = [each for each in self._around(node) if isinstance(each, Function)]
        return around[-1]

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        at: ast.AST | None = node
        while at is not None:
            yield at
            at = self.parent(at)

    def _place(self, line: int, column: int) -> int:
        """The place in the text: columns of a tree count bytes."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())
