"""What a family of operators is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Protocol

from grader.verify.mutants.code import Code, Edit


class Family(Protocol):
    """Operators of one kind."""

    def __call__(self, node: ast.AST, code: Code, /) -> Iterator[Edit]:
        """Yield what this kind changes at one node of a function; nothing where the node is of another kind."""
        ...
