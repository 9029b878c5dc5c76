"""Tar archives, plain or compressed: read once, the caps held all the way, and only what may be wanted is kept."""

from __future__ import annotations

import io
import lzma
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO, Protocol, cast

from grader.intake.base import MIB, Kind
from grader.intake.budget import CHUNK, Budget, Counted, Inflated, too_large
from grader.intake.inside import Content, Tree, TreeLevel
from grader.intake.names import is_archive, shown
from grader.intake.tarstream import BadTarError, Header, Tar

_LZMA_MEMORY = 128 * MIB  # what `xz -9` needs, twice
_GZIP = 31  # zlib's word for a gzip header around the largest window


class Inflator(Protocol):
    """What `zlib` and `lzma` have in common."""

    @property
    def eof(self) -> bool:
        """Whether the stream is at its end, and its checksum right."""
        ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Inflate, up to a length; what is beyond it waits for the next call."""
        ...


class Inflating(io.RawIOBase):
    """A compressed stream read as what it holds."""

    def __init__(self, stream: Counted, inflator: Inflator) -> None:
        super().__init__()
        self._stream = stream
        self._inflator = inflator

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes; nothing at the end.

        Raises:
            BadTarError: The stream ends early.
        """
        # zlib hands back the input it has not used, lzma keeps it.
        waiting = getattr(self._inflator, "unconsumed_tail", b"")
        while not self._inflator.eof:
            if block := self._inflator.decompress(waiting, size):
                return block
            waiting = getattr(self._inflator, "unconsumed_tail", b"") or self._stream.read(CHUNK)
            if not waiting and not self._inflator.eof:
                raise BadTarError("it ends early")
        return b""


_INFLATORS: Mapping[str, Callable[[], Inflator]] = {
    "gz": lambda: zlib.decompressobj(_GZIP),
    "tgz": lambda: zlib.decompressobj(_GZIP),
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY),
    "txz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY),
}


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
    start = _INFLATORS.get(name.casefold().rpartition(".")[2])
    inflating = raw if start is None else Inflating(raw, start())
    return cast("BinaryIO", Inflated(cast("BinaryIO", inflating), raw, budget, shown(name)))


def _content(
    tar: Tar, member: Header, parts: Collection[str], wanted: Collection[str], budget: Budget
) -> Content | None:
    own = list(parts)[-1:]
    if member.kind is not Kind.FILE or not own:
        return None
    if own[0] in wanted:
        return _kept(tar, shown(member.name), budget.caps.file_bytes)
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
