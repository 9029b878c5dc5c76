"""Which archives can be read, by the suffix of their names, and what becomes of one that is broken."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import BinaryIO

from grader.intake import tars, zips
from grader.intake.base import Level, Refused
from grader.intake.blame import blaming
from grader.intake.budget import Budget
from grader.intake.names import archive_suffix, shown

Opener = Callable[[str, BinaryIO, Collection[str], Budget], AbstractContextManager[Level]]

OPENERS: Mapping[str, Opener] = {
    ".zip": zips.opened,
    ".tar": tars.opened,
    ".tar.gz": tars.opened,
    ".tgz": tars.opened,
    ".tar.xz": tars.opened,
    ".txz": tars.opened,
    ".tar.zst": tars.opened,
    ".tzst": tars.opened,
}
# How the content starts, and what it is called then.
_MAGIC = {
    b"PK\3\4": "a zip archive",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\x1f\x8b": "compressed with gzip",
    b"\xfd7zX": "compressed with xz",
    b"BZh": "compressed with bzip2",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
}
_OWN = {
    ".zip": b"PK",
    ".tar.gz": b"\x1f",
    ".tgz": b"\x1f",
    ".tar.xz": b"\xfd",
    ".txz": b"\xfd",
    ".tar.zst": b"\x28",
    ".tzst": b"\x28",
}
_HINT = "hand in a .zip or a .tar.gz"


@contextmanager
def opened(name: str, stream: BinaryIO, wanted: Collection[str], budget: Budget) -> Iterator[Level]:
    """Open an archive as a level of a submission.

    Raises:
        Refused: It is broken, of another kind than its name says, or of a kind that is not read.
    """
    suffix = archive_suffix(name)
    if suffix not in OPENERS:
        raise Refused(shown(name), f"{suffix} archives are not read", _HINT)
    with ExitStack() as stack:
        with blaming(shown(name)):
            _check_magic(name, suffix, stream)
            level = stack.enter_context(OPENERS[suffix](name, stream, wanted, budget))
        yield level


def _check_magic(name: str, suffix: str, stream: BinaryIO) -> None:
    start = stream.read(8)
    stream.seek(0)
    found = next((words for magic, words in _MAGIC.items() if start.startswith(magic)), None)
    if found is not None and not start.startswith(_OWN.get(suffix, b"\0")):
        raise Refused(shown(name), f"it is named {suffix} but is {found}", _HINT)
