"""What of a course a node needs: packed into bytes, known by its digest, unpacked once by each worker."""

from __future__ import annotations

import io
import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from grader.course.assignment import Assignment
from grader.pipeline.digest import needed


class PackedCourse(NamedTuple):
    """A course, as far as judging needs it, in bytes."""

    digest: str
    content: bytes


def packed(assignments: Sequence[Assignment]) -> PackedCourse:
    """Pack assignments and their references; the same files always give the same bytes.

    No submission is among them, and not the course key.
    """
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, path in sorted(_files(assignments)):
            content = path.read_bytes()
            member = tarfile.TarInfo(name)  # no times, owners or modes: they are no part of a course
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    content = stream.getvalue()
    return PackedCourse(sha256(content).hexdigest(), content)


def _files(assignments: Sequence[Assignment]) -> Iterator[tuple[str, Path]]:
    paths = {path: assignment.course for assignment in assignments for path in needed(assignment)}
    yield from ((path.relative_to(course).as_posix(), path) for path, course in paths.items())


def unpacked(packed_course: PackedCourse, course: Path) -> None:
    """Unpack a course into a folder that only its owner may look into.

    Raises:
        ValueError: The content has another digest than it should.
        OSError: There is no room for it.
    """
    if sha256(packed_course.content).hexdigest() != packed_course.digest:
        raise ValueError("the course arrived damaged")
    course.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=course.parent))  # of mode 0700
    try:
        with tarfile.open(fileobj=io.BytesIO(packed_course.content)) as archive:
            archive.extractall(draft, filter="data")
        draft.rename(course)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not course.is_dir():  # another run brought it meanwhile
            raise
