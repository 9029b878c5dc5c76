"""A mutant: the reference with one place changed."""

from __future__ import annotations

import difflib
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from grader.verify.mutants.code import Edit


@dataclass(frozen=True)
class Mutant:
    """One place of one function, and what stands there instead.

    Args:
        module: Without `.py`.
        function: The function's name; `Class.method` in a class.
        family: The name of the operators that it comes from.
        line: Where the change begins, counted from 1.
        before: The changed lines as they were, without comments, blanks made single.
        after: The same lines changed.
        edit: The change.
    """

    module: str
    function: str
    family: str
    line: int
    before: str
    after: str
    edit: Edit

    @property
    def name(self) -> str:
        """Where it is and what was done, in a line."""
        return f"{self.module}.py:{self.line} {self.function}: {self.before} -> {self.after}"

    def diff(self, text: str) -> str:
        """Return the change to the module's text as a unified diff, with a line of context on both sides."""
        file = f"reference/{self.module}.py"
        last = text.count("\n", 0, self.edit.end) + 1
        first = max(self.line - 1, 1)
        old = text.splitlines()[first - 1 : last + 1]
        new = self.edit.applied(text).splitlines()[first - 1 : last + 1 + self.edit.new.count("\n") + self.line - last]
        hunk = list(difflib.unified_diff(old, new, file, file, n=1, lineterm=""))
        return "\n".join([*hunk[:2], f"@@ -{first},{len(old)} +{first},{len(new)} @@", *hunk[3:]])


def mutant(module: str, function: str, family: str, text: str, edit: Edit) -> Mutant:
    """Return the mutant that an edit makes, with its place in words."""
    first = text.rfind("\n", 0, edit.start) + 1
    last = text.find("\n", edit.end)
    last = len(text) if last < 0 else last
    before = text[first:last]
    after = Edit(edit.start - first, edit.end - first, edit.new).applied(before)
    line = text.count("\n", 0, edit.start) + 1
    return Mutant(module, function, family, line, plain(before), plain(after), edit)


def plain(lines: str) -> str:
    """Return lines of code as one line without comments: how a change is named, whatever its layout."""
    for comment in _comments(lines.strip()):
        lines = lines.replace(comment, "", 1)
    return " ".join(lines.split())


def _comments(lines: str) -> Iterator[str]:
    try:
        yield from (each.string for each in _tokens(lines) if each.type == tokenize.COMMENT)
    except (tokenize.TokenError, SyntaxError):
        return  # a few lines out of a longer bracket have no end; all of their comments have passed by then


def _tokens(lines: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(lines).readline)
