"""Pack what counts of a student's work into one archive."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from grader.course.assignment import Assignment
from grader.intake.base import CAPS, caps_for, digest
from grader.intake.discover import discover
from grader.intake.ids import student_id
from grader.kit.check import working_folder
from grader.kit.receipt import Receipt
from grader.kit.refuse import refuse_file, refuse_no_name, refuse_placeholder
from grader.kit.slips import nothing_here
from grader.kit.work import is_bare, parts
from grader.model.errors import GraderError
from grader.model.manifest import Exercise

# The first moment that a zip knows: the same files are the same archive, whenever and wherever they are packed.
_WHEN = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3


@dataclass(frozen=True)
class Packed:
    """An archive, what is told of it, and what a grader takes of it at most: the bytes of each file."""

    content: bytes
    receipt: Receipt
    most: Mapping[str, int]


def pack(assignments: Sequence[Assignment], student: str, here: Path) -> Packed:
    """Return an archive of the files that the manifests name.

    Args:
        assignments: What is handed in for.
        student: What the submission will be called.
        here: The working folder.

    Raises:
        UsageError: The id can name no file or is a placeholder, none of the files are there, or one is no Python, too large, or another student's worksheet.
    """
    refuse_placeholder(student, "submit")
    refuse_no_name(student)
    there = [(each, folder) for each in assignments if (folder := working_folder(here, each.course, each)) is not None]
    most = {name: size or CAPS.file_bytes for each, _ in there for name, size in each.manifest.taken.items()}
    files = {
        name: (folder / name).read_bytes()
        for each, folder in there
        for name in each.manifest.taken
        if (folder / name).is_file()
    }
    if not files:
        raise nothing_here(here, assignments[0].course, assignments)
    for name, content in files.items():
        refuse_file(name, content, most[name], student)
    content = archive(files)
    return Packed(content, _receipt([each for each, _ in there], student, files, content), most)


def _receipt(assignments: Sequence[Assignment], student: str, files: Mapping[str, bytes], content: bytes) -> Receipt:
    receipt = Receipt(
        student=student_id(student),
        archive=f"{student}.zip",
        archive_sha256=sha256(content).hexdigest(),
        digest=digest(files),
        digests={each.id: digest(_of(each, files)) for each in assignments},
        files={name: sha256(files[name]).hexdigest() for name in sorted(files)},
        exercises={each.id: [exercise.id for exercise in each.manifest.exercises] for each in assignments},
        bare=[name for each in assignments for name in _unwritten(each, files)],
    )
    meant = [each for each in assignments if each.id in (receipt.begun or receipt.exercises)]
    receipt.missing = list(dict.fromkeys(name for each in meant for name in each.manifest.taken if name not in files))
    return receipt


def archive(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of some files: the same bytes for the same files on every machine."""
    stream = BytesIO()
    # Stored as they are, for what deflates differs between versions of zlib.
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as packed:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _WHEN)
            info.external_attr, info.create_system = _MODE, _UNIX
            packed.writestr(info, files[name])
    return stream.getvalue()


def write(packed: Packed, out: Path | None, here: Path) -> Path:
    """Write the archive, with its receipt beside it, and return where it is; it is read back as a grader would read it.

    Raises:
        GraderError: It cannot be written, or a grader would take another thing for it.
    """
    path = out or here / packed.receipt.archive
    receipt = path.with_suffix(".receipt.json")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(packed.content)
        receipt.write_text(packed.receipt.model_dump_json(indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise GraderError(
            f"cannot be written: {error.strerror}", where=path, hint="--out names another place"
        ) from error
    [read] = discover([path], packed.receipt.files, "one", caps_for(packed.most))
    if read.digest != packed.receipt.digest or read.problems:
        raise GraderError("the archive cannot be read back as it was packed", where=path, hint="is the disk full?")
    return path


def _of(assignment: Assignment, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if name in assignment.manifest.taken}


def _unwritten(assignment: Assignment, files: Mapping[str, bytes]) -> Iterator[str]:
    """The exercises that are as in the template, or whose file is not there."""
    manifest = assignment.manifest
    for exercise in manifest.exercises:
        asked = [manifest.file_of(exercise.module)] if exercise.names else exercise.artifacts
        if not all(name in files for name in asked) or _is_bare(assignment, exercise, files):
            yield exercise.id


def _is_bare(assignment: Assignment, exercise: Exercise, files: Mapping[str, bytes]) -> bool:
    template = assignment.original(exercise.module)
    if not exercise.names or exercise.is_worksheet or not template.is_file():
        return False
    return is_bare(exercise, parts(files[template.name], template.name), parts(template.read_bytes(), template.name))
