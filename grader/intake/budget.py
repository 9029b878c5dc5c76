"""The caps while they are being spent, and streams that refuse to read past them."""

from __future__ import annotations

import io
from typing import BinaryIO

from grader.intake.base import CAPS, MIB, Caps, Refused
from grader.model.manifest import SHEET

CHUNK = 64 * 1024
RATIO_FLOOR = 4 * CHUNK
# Compressed bytes beyond the inflated ones: headers and checksums of an honest archive are far shorter.
WASTE = 4 * CHUNK
_SMALLER = "hand in the files the assignment asks for and nothing else"


class Budget:
    """What one submission has cost so far, through all folders and archives of it."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.spent = 0

    def renew(self) -> None:
        """Begin with the next submission of the same archive or folder."""
        self.spent = 0

    def spend(self, count: int, file: str) -> None:
        """Note bytes that were read or inflated.

        Raises:
            Refused: They are more than one submission may hold.
        """
        self.spent += count
        if self.spent > self.caps.total_bytes:
            limit = f"{self.caps.total_bytes // MIB} MiB"
            raise Refused(file, f"the submission holds more than {limit}", _SMALLER)

    def check_entries(self, count: int, file: str) -> None:
        """Raise `Refused` for more names than one folder or archive may hold."""
        if count > self.caps.entries:
            raise Refused(file, f"there are more than {self.caps.entries} files in it", _SMALLER)

    def check_ratio(self, inflated: int, compressed: int, file: str) -> None:
        """Raise `Refused` for content that no archive of code inflates to."""
        if inflated > RATIO_FLOOR and inflated > self.caps.ratio * max(compressed, 1):
            message = f"it inflates to more than {self.caps.ratio} times its size"
            raise Refused(file, message, "make a new archive of your own files")

    def read(self, stream: BinaryIO, limit: int, file: str) -> bytes:
        """Read a stream to its end and pay for it.

        Raises:
            Refused: It is longer than `limit`, or than what is left.
        """
        kept = bytearray()
        while block := stream.read(CHUNK):
            self.spend(len(block), file)
            kept += block
            if len(kept) > limit:
                raise too_large(file, limit)
        return bytes(kept)


def too_large(file: str, limit: int) -> Refused:
    """Return the refusal of a file larger than one that may be taken."""
    hints = {
        ".py": "only code belongs in it, no data",
        ".ipynb": "clear all its outputs, which are not graded, save it and hand in again",
        SHEET: "only your answers belong in it, no data",
    }
    suffix = file[file.rfind(".") :]
    hint = hints.get(suffix, "hand in what the program wrote for the sizes that the assignment asks for")
    return Refused(file, f"it is larger than {limit // 1024} KiB", hint)


class Counted(io.RawIOBase):
    """A stream that counts what is read from it and refuses to read much at once.

    A library that is told by an archive to read a directory of 3 GB is stopped before it takes the memory: no header,
    directory or chunk of an honest archive is longer than `longest` bytes.
    """

    def __init__(self, stream: BinaryIO, file: str, longest: int = CAPS.table_bytes) -> None:
        super().__init__()
        self._stream = stream
        self._file = file
        self._longest = longest
        self.count = 0

    def readable(self) -> bool:
        """Whether there is something to read: always."""
        return True

    def seekable(self) -> bool:
        """Whether the place can be changed: always."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a place and return it."""
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        """Return the place."""
        return self._stream.tell()

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes.

        Raises:
            Refused: That is more than an honest archive makes anyone read at once.
        """
        block = self._stream.read(size if 0 <= size <= self._longest else self._longest + 1)
        if len(block) > self._longest:
            raise Refused(self._file, "its table of contents is too long", "make a new archive of your own files")
        self.count += len(block)
        return block


class Inflated(io.RawIOBase):
    """The content of a compressed stream, paid for while it is inflated."""

    def __init__(self, stream: BinaryIO, compressed: Counted, budget: Budget, file: str) -> None:
        super().__init__()
        self._stream = stream
        self._compressed = compressed
        self._budget = budget
        self._file = file
        self._count = 0

    def readable(self) -> bool:
        """Whether there is something to read: always."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, one chunk at most.

        Raises:
            Refused: The content is larger than the caps allow.
        """
        block = self._stream.read(size if 0 < size < CHUNK else CHUNK)
        self._count += len(block)
        self._budget.spend(len(block), self._file)
        self._budget.check_ratio(self._count, self._compressed.count, self._file)
        return block
