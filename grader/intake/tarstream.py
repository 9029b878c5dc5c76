"""A tar stream read from front to back, one member at a time, with nothing taken on trust.

`tarfile` is not used: in some of the Pythons we support, a negative size leads it in circles, and it searches an extended
header in a time that grows with the square of its length. What homework needs of the format is small.
Source: POSIX.1-2017, pax interchange format; GNU tar manual, "Basic Tar Format".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from grader.intake.base import Kind
from grader.intake.budget import CHUNK
from grader.intake.members import decoded

BLOCK = 512
_LONGEST_HEADER = CHUNK
_LONGEST_NUMBER = 1 << 60
# Honest archivers write a handful: times, owners, a few attributes of a file. What is not used is not kept.
_LONGEST_LIST = 100
_HEADERS_OF_A_MEMBER = 8
_READ, _SPARSE = (b"path", b"size"), b"GNU.sparse"
_OCTAL = re.compile(rb"[0-7]+")
_KINDS = {
    b"0": Kind.FILE,
    b"\0": Kind.FILE,
    b"7": Kind.FILE,
    b"1": Kind.LINK,
    b"2": Kind.LINK,
    b"5": Kind.FOLDER,
}
_PAX, _PAX_FOR_ALL, _LONG_NAME, _LONG_LINK = (b"x", b"X"), b"g", b"L", b"K"
_EMPTY = (b"1", b"2", b"3", b"4", b"5", b"6")


class BadTarError(ValueError):
    """The stream is not a tar archive, or not a whole one."""


@dataclass(frozen=True)
class Header:
    """One header block, or what the extended headers before it made of it."""

    name: str
    type: bytes
    size: int

    @property
    def kind(self) -> Kind:
        """What the member is. Old archives have folders that only a slash tells from files."""
        return Kind.FOLDER if self.name.endswith("/") else _KINDS.get(self.type, Kind.SPECIAL)

    @property
    def length(self) -> int:
        """Bytes of content. Some kinds have none, whatever size they state."""
        return 0 if self.type in _EMPTY else self.size


class Tar:
    """A tar stream. `members` may be walked once; the content of one is read before the next is asked for."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left = 0

    def members(self) -> Iterator[Header]:
        """Yield each member up to the end of the archive.

        Raises:
            BadTarError: The archive is broken or ends early.
        """
        while (member := self._next()) is not None:
            self._left = member.length
            yield member
            self._skip(member)
        # Read on to the end, for only there a compressed stream tells whether it was whole.
        while self._stream.read(CHUNK):
            pass

    def read(self, size: int) -> bytes:
        """Read the next bytes of the member at hand: exactly so many, or what is left of it."""
        block = self._exactly(min(size, self._left))
        self._left -= len(block)
        return block

    def _skip(self, member: Header) -> None:
        while self._left:
            self.read(CHUNK)
        self._exactly(-member.length % BLOCK)

    def _next(self) -> Header | None:
        """Return what all headers before a member's content say of it; `None` at the end of the archive."""
        extra: dict[str, bytes] = {}
        for _ in range(_HEADERS_OF_A_MEMBER):
            if not any(block := self._exactly(BLOCK)):
                return None
            header = _parsed(block)
            if header.type not in (*_PAX, _PAX_FOR_ALL, _LONG_NAME, _LONG_LINK):
                return _joined(header, extra)
            extra.update(self._extended(header))
        raise BadTarError("a member has too many headers")

    def _extended(self, header: Header) -> Mapping[str, bytes]:
        """Return what a header says of the member after it."""
        if header.size > _LONGEST_HEADER:
            raise BadTarError(f"a header of {header.size} bytes")
        body = self._exactly(header.size + -header.size % BLOCK)[: header.size]
        if header.type == _LONG_NAME:
            return {"path": body.split(b"\0")[0]}
        return dict(_records(body)) if header.type in _PAX else {}

    def _exactly(self, size: int) -> bytes:
        kept = bytearray()
        while len(kept) < size:
            block = self._stream.read(size - len(kept))
            if not block:
                raise BadTarError("it ends early")
            kept += block
        return bytes(kept)


def _parsed(block: bytes) -> Header:
    # The sum counts its own field as blanks.
    if _number(block[148:156]) != sum(block[:148]) + 8 * ord(" ") + sum(block[156:]):
        raise BadTarError("a header's checksum is wrong")
    name = block[:100].split(b"\0")[0]
    # GNU tar uses the field of the prefix for other things, and says so in the magic.
    prefix = block[345:500].split(b"\0")[0] if block[257:263] == b"ustar\0" else b""
    return Header(decoded(prefix + b"/" + name if prefix else name), block[156:157], _number(block[124:136]))


def _number(digits: bytes) -> int:
    """Read an octal number or, where the first bit is set, a binary one."""
    if digits[0] & 0x80:
        number = int.from_bytes(bytes([digits[0] & 0x7F]) + digits[1:], "big")
    else:
        text = digits.split(b"\0")[0].strip() or b"0"
        if not _OCTAL.fullmatch(text):
            raise BadTarError("a header holds a number that is none")
        number = int(text, 8)
    if number > _LONGEST_NUMBER:
        raise BadTarError("a header holds a number too large, or a negative one")
    return number


def _records(body: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the records of a pax header, each `LENGTH KEY=VALUE` and a line end, all of it counted in the length."""
    start, count = 0, 0
    while start < len(body):
        digits, blank, _ = body[start : start + 8].partition(b" ")
        end = start + int(digits) if blank and digits.isdigit() else start
        key, equals, value = body[start + len(digits) + 1 : end].partition(b"=")
        if not equals or not value.endswith(b"\n") or end > len(body):
            raise BadTarError("an extended header is broken")
        start, count = end, count + 1
        if count > _LONGEST_LIST:
            raise BadTarError(f"an extended header of more than {_LONGEST_LIST} records")
        if key in _READ or key.startswith(_SPARSE):
            yield key.decode("utf-8", "replace"), value[:-1]


def _joined(header: Header, extra: Mapping[str, bytes]) -> Header:
    name = decoded(extra["path"]) if "path" in extra else header.name
    size = header.size
    if "size" in extra:
        if not extra["size"].isdigit() or len(extra["size"]) > len(str(_LONGEST_NUMBER)):
            raise BadTarError("an extended header holds a size that is none")
        size = int(extra["size"])
    # What stands for a sparse file is a map and some pieces, never the file itself.
    if header.type == b"S" or any(key.startswith(_SPARSE.decode()) for key in extra):
        raise BadTarError("it holds a sparse file")
    return Header(name, header.type, size)
