"""What a PNG holds, read with no more than Python's own zlib, and never more of it than its header promises."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from grader.testing.telling import say
from grader.words import tests as words

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_MOST_PIXELS = 64 * 1024 * 1024


@dataclass(frozen=True)
class Picture:
    """A PNG.

    Args:
        width: In pixels.
        height: In pixels.
        rows: How many of its rows differ from one another, as the file holds them: of a blank picture at most three do.
    """

    width: int
    height: int
    rows: int


def read_png(content: bytes, name: str) -> Picture:
    """Read a PNG, and so show that it is one.

    Args:
        content: The file's.
        name: What to call it.

    Raises:
        AssertionError: It is no PNG, is cut short or damaged, or has more than 64 million pixels.
    """
    if not content.startswith(_SIGNATURE):
        raise AssertionError(say(words.NO_PNG, name=name))
    header, data = b"", b""
    for kind, body in _chunks(content[len(_SIGNATURE) :], name):
        header = body if kind == b"IHDR" else header
        data += body if kind == b"IDAT" else b""
    width, height, stride = _sizes(header, name)
    pixels = _inflated(data, height * stride, name)
    rows = {pixels[start : start + stride] for start in range(0, len(pixels), stride)}
    return Picture(width, height, len(rows))


def _chunks(content: bytes, name: str) -> Iterator[tuple[bytes, bytes]]:
    place = 0
    while place + 12 <= len(content):
        (length,) = struct.unpack_from(">I", content, place)
        if place + 12 + length > len(content):
            break
        kind, body = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        checksum = content[place + 8 + length : place + 12 + length]
        if checksum != struct.pack(">I", zlib.crc32(kind + body)):
            raise AssertionError(say(words.BAD_CHECKSUM, name=name))
        yield kind, body
        if kind == b"IEND":
            return
        place += 12 + length
    raise AssertionError(say(words.CUT_SHORT, name=name))


def _sizes(header: bytes, name: str) -> tuple[int, int, int]:
    """Return width, height, and the bytes of a row with the one that names its filter."""
    if len(header) != 13:
        raise AssertionError(say(words.NO_HEADER, name=name))
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", header)
    if colour not in _CHANNELS or depth not in (1, 2, 4, 8, 16) or interlace:
        raise AssertionError(say(words.STRANGE_PNG, name=name))
    if not 0 < width * height <= _MOST_PIXELS:
        raise AssertionError(say(words.PIXELS, name=name, width=width, height=height))
    return width, height, 1 + (width * depth * _CHANNELS[colour] + 7) // 8


def _inflated(data: bytes, size: int, name: str) -> bytes:
    inflating = zlib.decompressobj()
    try:
        pixels = inflating.decompress(data, size + 1)
    except zlib.error as error:
        raise AssertionError(say(words.DAMAGED, name=name, error=error)) from None
    if len(pixels) != size:
        raise AssertionError(say(words.WRONG_LENGTH, name=name))
    return pixels
