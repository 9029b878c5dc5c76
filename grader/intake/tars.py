"""Tar archives, plain or compressed: read once, the caps held all the way, and only what may be wanted is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from grader.intake.base import Kind
from grader.intake.budget import CHUNK, Budget, Counted, Inflated, too_large
from grader.intake.inflate import INFLATORS, Inflating
from grader.intake.inside import Content, Tree, TreeLevel
from grader.intake.names import is_archive, is_notebook, shown
from grader.intake.tarstream import Header, Tar


@contextmanager
def opened(name: str, stream: BinaryIO, wanted: Collection[str], budget: Budget) -> Iterator[TreeLevel]:
    """Open a tar archive as a level."""
    tree = Tree(budget)
    tar = Tar(_inflated(name, stream, budget))
    for count, member in enumerate(tar.members(), start=1):
        budget.check_entries(count, shown(name))
        if (parts := tree.parts(member.name)) is not None:
            tree.add(parts, member.kind, _content(tar, member, parts, wanted, budget))
    yield TreeLevel(tree.root, budget, tree.problems)


def _inflated(name: str, stream: BinaryIO, budget: Budget) -> BinaryIO:
    raw = Counted(stream, shown(name))
    start = INFLATORS.get(name.casefold().rpartition(".")[2])
    inflating = raw if start is None else Inflating(raw, start)
    return cast("BinaryIO", Inflated(cast("BinaryIO", inflating), raw, budget, shown(name)))


def _content(
    tar: Tar, member: Header, parts: Collection[str], wanted: Collection[str], budget: Budget
) -> Content | None:
    own = list(parts)[-1:]
    if member.kind is not Kind.FILE or not own:
        return None
    if own[0] in {name.rpartition("/")[2] for name in wanted}:
        return _kept(tar, shown(member.name), budget.caps.of(own[0]))
    if is_notebook(own[0]):
        return _kept(tar, shown(member.name), budget.caps.of(own[0]))
    return _kept(tar, shown(member.name), budget.caps.total_bytes) if is_archive(own[0]) else None


def _kept(tar: Tar, file: str, limit: int) -> Content:
    # What is read here was paid for when it was inflated.
    kept = bytearray()
    while (block := tar.read(CHUNK)) and len(kept) <= limit:
        kept += block

    def content(allowed: int) -> bytes:
        if len(kept) > min(allowed, limit):
            raise too_large(file, limit)
        return bytes(kept)

    return content
