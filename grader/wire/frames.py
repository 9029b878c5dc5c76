"""One frame: a fixed prefix, a JSON header, and the raw bytes of the arrays that the header lists.

    magic 4 | header length u32 | payload length u64 | header | array bytes

Each part is checked before memory for the next is taken: the prefix against the caps, the header against the limits of
`header`, its list of arrays against the payload's length. So a frame costs its reader no more than the caps, whatever
it says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from struct import Struct
from typing import NamedTuple, Protocol

from grader.wire.arrays import MAX_ARRAYS, Array, allocate, describe, flat
from grader.wire.errors import Unsendable, WireError
from grader.wire.header import Json, dump, parse

MAGIC = b"row1"
PREFIX = Struct("<4sIQ")
_MIB = 2**20
_TOGETHER = 1 << 16  # bytes that are copied, rather than sent or received by themselves


@dataclass(frozen=True)
class Caps:
    """The largest header and the largest payload of one frame, in bytes."""

    header_bytes: int = 256 * 1024
    payload_bytes: int = 256 * _MIB


class Frame(NamedTuple):
    """What a frame holds: a tree, and the arrays that the tree refers to by position."""

    tree: Json
    arrays: list[Array]


def write(frame: Frame, caps: Caps) -> list[bytes | memoryview]:
    """Return the pieces of a frame, to be sent one after another.

    Args:
        frame: Its arrays must be C-contiguous and of a dtype that travels, as `arrays.ready` returns them.
        caps: What the other side accepts.

    Raises:
        Unsendable: The frame would be larger.
    """
    if len(frame.arrays) > MAX_ARRAYS:
        raise Unsendable(f"more than {MAX_ARRAYS} arrays at once")
    header = dump({"tree": frame.tree, "arrays": describe(frame.arrays)})
    payload = sum(array.nbytes for array in frame.arrays)
    if len(header) > caps.header_bytes:
        raise Unsendable(f"more than {caps.header_bytes // 1024} KiB of numbers and strings outside arrays")
    if payload > caps.payload_bytes:
        raise Unsendable(f"more than {caps.payload_bytes // _MIB} MiB of arrays")
    prefix = PREFIX.pack(MAGIC, len(header), payload)
    if payload <= _TOGETHER:
        return [b"".join((prefix, header, *(array.tobytes() for array in frame.arrays)))]
    return [*_joined([prefix, header, *_views(frame.arrays)])]


def _joined(pieces: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    """Yield the same bytes in fewer pieces: the other side is woken by the first, and would wait again for each of the rest."""
    small = bytearray()
    for piece in pieces:
        if small and len(small) + len(piece) > _TOGETHER:
            yield bytes(small)
            small.clear()
        if len(piece) > _TOGETHER:
            yield piece
        else:
            small += piece
    if small:
        yield bytes(small)


class Stream(Protocol):
    """Where a frame is read from."""

    def take(self, count: int) -> bytes | bytearray:
        """Return the next bytes, so many, or raise."""
        ...

    def fill(self, view: memoryview) -> None:
        """Fill a view, to the last byte, or raise."""
        ...


def read(stream: Stream, caps: Caps) -> Frame:
    """Read one frame.

    Args:
        stream: Where from.
        caps: The largest frame to accept.

    Raises:
        WireError: The frame breaks a rule. The stream is then of no further use.
    """
    magic, header_length, payload_length = PREFIX.unpack(stream.take(PREFIX.size))
    if magic != MAGIC:
        raise WireError(f"frame: begins with {magic!r}")
    if header_length > caps.header_bytes or payload_length > caps.payload_bytes:
        raise WireError(f"frame: {header_length} + {payload_length} bytes is more than a frame may hold")
    tree, listing = _parts(parse(stream.take(header_length)))
    arrays = allocate(listing, payload_length, caps.payload_bytes)
    for view in _views(arrays):
        stream.fill(view)
    return Frame(tree, arrays)


def _parts(header: Json) -> tuple[Json, Json]:
    if not isinstance(header, dict) or header.keys() != {"tree", "arrays"}:
        raise WireError("header: must hold `tree` and `arrays`")
    return header["tree"], header["arrays"]


def _views(arrays: list[Array]) -> Iterator[memoryview]:
    return (flat(array) for array in arrays if array.nbytes)
