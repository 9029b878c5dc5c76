"""Compressed streams, inflated piece by piece and never further than someone asks."""

from __future__ import annotations

import io
import lzma
import sys
import zlib
from collections.abc import Callable, Mapping
from typing import Protocol

from grader.intake.base import MIB
from grader.intake.budget import CHUNK, WASTE, Counted
from grader.model.errors import GraderError

_LZMA_MEMORY = 128 * MIB  # what `xz -9` needs, twice
_GZIP = 31  # zlib's word for a gzip header around the largest window
# 8 MiB, which a decoder should support (RFC 8878, 3.1.1.1.2) and no level up to 19 exceeds. A frame may ask for 2 TiB.
_ZSTD_WINDOW_LOG = 23


# Each takes a decompressor of its own, which takes longer than the few bytes it may hold. pzstd makes one a processor, or one every 8 MiB.
_STREAMS = 1000


class BadStreamError(ValueError):
    """The stream is not what its name says, or not a whole one."""


class Inflator(Protocol):
    """What the libraries have in common."""

    @property
    def eof(self) -> bool:
        """Whether the stream is at its end, and its checksum right."""
        ...

    @property
    def unused_data(self) -> bytes:
        """What was given and lies behind the end."""
        ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Inflate, up to a length; what is beyond it waits for the next call."""
        ...


class Inflating(io.RawIOBase):
    """A compressed stream read as what it holds. Several may follow each other, as from `pzstd`, and count as one."""

    def __init__(self, stream: Counted, start: Callable[[], Inflator]) -> None:
        super().__init__()
        self._stream = stream
        self._start = start
        self._inflator = start()
        self._waiting = b""
        self._count = 0
        self._streams = 1

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes; nothing at the end.

        Raises:
            BadStreamError: The stream ends early, is long and holds hardly anything, or is made of too many.
        """
        while not self._inflator.eof or self._goes_on():
            block = self._inflator.decompress(self._waiting, size)
            # zlib hands back the input it has not used, the others keep it.
            self._waiting = getattr(self._inflator, "unconsumed_tail", b"")
            if block:
                self._count += len(block)
                return block
            if not self._waiting and not self._inflator.eof and not self._fed():
                raise BadStreamError("it ends early")
        return b""

    def _goes_on(self) -> bool:
        """Start on the stream that follows one that ended. Zeros between them and at the end are padding."""
        self._waiting = self._inflator.unused_data.lstrip(b"\0")
        while not self._waiting:
            if not self._fed():
                return False
            self._waiting = self._waiting.lstrip(b"\0")
        self._streams += 1
        if self._streams > _STREAMS:
            raise BadStreamError(f"it is made of more than {_STREAMS} compressed streams")
        self._inflator = self._start()
        return True

    def _fed(self) -> bool:
        self._waiting = self._stream.read(CHUNK)
        # What inflates to nothing (empty blocks, comments, frames to skip) costs time that no other cap sees.
        if self._stream.count > self._count + WASTE:
            raise BadStreamError("it is long and holds hardly anything")
        return bool(self._waiting)


def _gzip() -> Inflator:
    return zlib.decompressobj(_GZIP)


def _xz() -> Inflator:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_LZMA_MEMORY)


def _zstd() -> Inflator:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # noqa: PLC0415 -- few hand in such an archive, and `--help` stays fast
        else:
            from backports import zstd  # noqa: PLC0415 -- likewise
    except ImportError as error:
        hint = "install rowwise again with its dependencies, or a Python built with zstd"
        raise GraderError("this Python cannot read zstd", hint=hint) from error
    return zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG})


INFLATORS: Mapping[str, Callable[[], Inflator]] = {
    "gz": _gzip,
    "tgz": _gzip,
    "xz": _xz,
    "txz": _xz,
    "zst": _zstd,
    "tzst": _zstd,
}
