"""The folders inside an archive, as far down as anyone will look."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

from grader.intake.base import Entry, Kind, Problem, Refused
from grader.intake.budget import Budget
from grader.intake.members import member_parts
from grader.intake.names import shown

# Returns the content of a member of at most so many bytes; raises `Refused` for a longer one.
Content = Callable[[int], bytes]

_OWN_NAMES = "make the archive anew with the archiver that came with your system"
_TOLD = 20


@dataclass
class Node:
    """One member of an archive, or a folder that members' names imply."""

    kind: Kind
    content: Content | None = None
    children: dict[str, Node] = field(default_factory=dict)


class Tree:
    """The members of an archive by their names. Names that could lead out of it are refused and told."""

    def __init__(self, budget: Budget) -> None:
        self.root = Node(Kind.FOLDER)
        self.problems: list[Problem] = []
        self._depth = budget.caps.depth

    def parts(self, name: str) -> tuple[str, ...] | None:
        """Return a member's name in parts; `None`, and a problem noted, where the name is refused."""
        found = member_parts(name)
        if isinstance(found, tuple):
            return found
        if len(self.problems) < _TOLD:
            self.problems.append(Problem(shown(name), found, _OWN_NAMES))
        elif len(self.problems) == _TOLD:
            self.problems.append(Problem("and more", found, _OWN_NAMES))
        return None

    def add(self, parts: Sequence[str], kind: Kind, content: Content | None = None) -> None:
        """Put a member in its place."""
        if not parts:
            return
        # Nobody looks further down than `depth`, so a name of a thousand folders takes no thousand nodes.
        inner = parts[: self._depth + 1]
        place = self.root
        for part in inner[:-1]:
            place = self._folder(place, part)
        if len(inner) < len(parts) or kind is Kind.FOLDER:
            self._folder(place, inner[-1])
        elif (there := place.children.get(inner[-1])) is not None:
            there.kind = Kind.TWICE
        else:
            place.children[inner[-1]] = Node(kind, content)

    @staticmethod
    def _folder(place: Node, name: str) -> Node:
        node = place.children.setdefault(name, Node(Kind.FOLDER))
        if node.kind is not Kind.FOLDER:
            node.kind = Kind.TWICE
        return node


class TreeLevel:
    """A folder inside an archive, as a level of a submission."""

    def __init__(self, node: Node, budget: Budget, problems: Sequence[Problem] = ()) -> None:
        self.problems = problems
        self._children: Mapping[str, Node] = node.children
        self._budget = budget

    def entries(self) -> Sequence[Entry]:
        """Return what lies here, sorted by name."""
        return sorted(Entry(name, node.kind) for name, node in self._children.items())

    def read(self, name: str, called: str = "") -> bytes:
        """Return the content of a file, within the caps."""
        return self._content(name)(self._budget.caps.of(called or name))

    @contextmanager
    def archive(self, name: str) -> Iterator[BinaryIO]:
        """Open an archive that lies here, from memory: inside another one nothing can seek."""
        yield io.BytesIO(self._content(name)(self._budget.caps.total_bytes))

    @contextmanager
    def enter(self, name: str) -> Iterator[TreeLevel]:
        """Open a folder that lies here."""
        yield TreeLevel(self._children[name], self._budget)

    def _content(self, name: str) -> Content:
        node = self._children[name]
        if node.kind is not Kind.FILE or node.content is None:
            raise Refused(shown(name), f"it is {node.kind}, not {Kind.FILE}", "hand in a file of that name")
        return node.content
