"""Zip archives, read in place: only what is wanted is ever inflated."""

from __future__ import annotations

import stat
import zipfile
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import BinaryIO
from zipfile import ZipFile, ZipInfo

from grader.intake.base import Kind, Refused
from grader.intake.blame import blaming
from grader.intake.budget import WASTE, Budget, Counted, too_large
from grader.intake.inside import Tree, TreeLevel
from grader.intake.members import decoded
from grader.intake.names import shown

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED, _UTF8 = 0x1, 0x800
_HEADER = 30  # bytes of a member's own header, its name not counted
_ORDINARY = "make an ordinary zip, without a password"


@contextmanager
def opened(name: str, stream: BinaryIO, _wanted: Collection[str], budget: Budget) -> Iterator[TreeLevel]:
    """Open a zip archive as a level."""
    with ZipFile(Counted(stream, shown(name), budget.caps.table_bytes)) as archive:
        members = archive.infolist()
        budget.check_entries(len(members), shown(name))
        tree = Tree(budget)
        starts = sorted(member.header_offset for member in members)
        for member in members:
            original = _name(member)
            if (parts := tree.parts(original)) is not None:
                tree.add(parts, _kind(member, original), partial(_inflated, archive, member, starts, budget))
        yield TreeLevel(tree.root, budget, tree.problems)


def _name(member: ZipInfo) -> str:
    # Not `filename`: it is cut at a NUL, and so could pass for something else.
    if member.flag_bits & _UTF8:
        return member.orig_filename
    return decoded(member.orig_filename.encode("cp437"))


def _kind(member: ZipInfo, name: str) -> Kind:
    mode = stat.S_IFMT(member.external_attr >> 16)
    if mode == stat.S_IFLNK:
        return Kind.LINK
    if name.endswith("/"):
        return Kind.FOLDER
    return Kind.FILE if mode in (0, stat.S_IFREG) else Kind.SPECIAL


def _inflated(archive: ZipFile, member: ZipInfo, starts: Sequence[int], budget: Budget, limit: int) -> bytes:
    file = shown(_name(member))
    if member.flag_bits & _ENCRYPTED:
        raise Refused(file, "it is encrypted", _ORDINARY)
    if member.compress_type not in _METHODS:
        raise Refused(file, f"it is compressed by method {member.compress_type}, not deflated", _ORDINARY)
    if member.compress_size > limit + WASTE:
        raise too_large(file, limit)
    if _overlaps(member, starts):
        raise Refused(file, "it shares its bytes with another member", _ORDINARY)
    with blaming(file), archive.open(member) as stream:
        content = budget.read(stream, limit, file)  # type: ignore[arg-type] # typeshed knows it as IO[bytes]
    budget.check_ratio(len(content), member.compress_size, file)
    return content


def _overlaps(member: ZipInfo, starts: Sequence[int]) -> bool:
    """Whether another member starts within this one, given where all of them start, in order."""
    end = member.header_offset + _HEADER + member.compress_size
    return bisect_left(starts, end) - bisect_left(starts, member.header_offset) > 1
