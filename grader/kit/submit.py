"""Pack what counts of a student's work into one archive, and say what it is."""

from __future__ import annotations

import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from pydantic import BaseModel, Field

from grader.course.assignment import Assignment
from grader.intake.base import CAPS, caps_for, digest
from grader.intake.discover import discover
from grader.intake.ids import student_id
from grader.kit.check import working_folder
from grader.kit.slips import nothing_here
from grader.kit.work import Unreadable, is_bare, original, parsed, parts
from grader.model.errors import GraderError, UsageError
from grader.model.manifest import Exercise
from grader.model.worksheet import OWNER

_SHEET = ".toml"
# The first moment that a zip knows: the same files are the same archive, whenever and wherever they are packed.
_WHEN = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3
# Bytes: a file system takes 255, and what comes from elsewhere has a number or the time of handing in added to its name.
_LONGEST = 150


class Receipt(BaseModel):
    """What was packed, for the student to keep."""

    schema_version: int = 1
    student: str = Field(description="Under which id it will be graded, if it is handed in under its name")
    archive: str
    archive_sha256: str
    digest: str = Field(description="SHA-256 over the files, as the report tells it where all is graded together")
    digests: dict[str, str] = Field(description="Likewise, by assignment, where each is graded alone")
    files: dict[str, str] = Field(description="The SHA-256 of each file")
    exercises: dict[str, list[str]] = Field(description="What would be graded, by assignment")
    bare: list[str] = Field(
        default=[], description="The exercises that are as in the template, or whose file is not there"
    )
    missing: list[str] = Field(default=[], description="The files that were not there")


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
        UsageError: The id can name no file, none of the files are there, or one is no Python, too large, or another student's worksheet.
        GraderError: The archive is not what the grader would read of it.
    """
    _refuse_no_name(student)
    there = [(each, folder) for each in assignments if (folder := working_folder(here, each.course, each)) is not None]
    wanted: dict[str, int] = {}
    files: dict[str, bytes] = {}
    for assignment, folder in there:
        for name, most in assignment.manifest.taken.items():
            wanted[name] = most or CAPS.file_bytes
            if (folder / name).is_file():
                files[name] = (folder / name).read_bytes()
    if not files:
        raise nothing_here(here, assignments[0].course, assignments)
    for name, content in files.items():
        _refuse(name, content, wanted[name], student)
    content = archive(files)
    receipt = Receipt(
        student=student_id(student),
        archive=f"{student}.zip",
        archive_sha256=sha256(content).hexdigest(),
        digest=digest(files),
        digests={each.id: digest(_of(each, files)) for each, _ in there},
        files={name: sha256(files[name]).hexdigest() for name in sorted(files)},
        exercises={each.id: [exercise.id for exercise in each.manifest.exercises] for each, _ in there},
        bare=[name for each, _ in there for name in _unwritten(each, files)],
        missing=[name for name in wanted if name not in files],
    )
    return Packed(content, receipt, wanted)


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


def _refuse_no_name(student: str) -> None:
    """The submission is called as its file is: with a `/` in its id it would lie elsewhere, under another id."""
    if not student or Path(student).name != student or not student.isprintable() or len(student.encode()) > _LONGEST:
        shown = student if len(student) <= _LONGEST else f"{student[:_LONGEST]}..."
        raise UsageError(
            f"{shown!r} cannot be the id of a student: the archive is called like it",
            hint=f"an id is a name for a file, without `/` and of at most {_LONGEST} bytes",
        )


def _refuse(name: str, content: bytes, most: int, student: str) -> None:
    if len(content) > most:
        raise UsageError(
            f"{len(content)} bytes, and a grader takes {most}", where=name, hint="data has no place in a program"
        )
    if name.endswith(".py"):
        _refuse_no_python(name, content)
    elif name.endswith(_SHEET):
        _refuse_another_sheet(name, content, student)


def _refuse_no_python(name: str, content: bytes) -> None:
    try:
        parsed(name, content)
    except Unreadable as error:
        raise UsageError(
            f"this is no Python: {error.said}",
            where=name,
            line=error.line,
            hint="as it is, nothing in this file would count: mend that line, then `grader check`",
        ) from error


def _refuse_another_sheet(name: str, content: bytes, student: str) -> None:
    try:
        sheet = tomllib.loads(content.decode("utf-8-sig"))
    except ValueError as error:
        raise UsageError(
            f"this is no TOML: {error}", where=name, hint="text stands in quotes, and `=` once a line"
        ) from error
    owner = sheet.get(OWNER)
    if owner != student_id(student):
        raise UsageError(
            f"this worksheet is that of {owner!r}, and the submission would be {student_id(student)!r}",
            where=name,
            hint=f"hand in under that name, or write your own: grader worksheet {student}",
        )


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
    template = original(assignment, exercise.module)
    if not exercise.names or exercise.is_worksheet or not template.is_file():
        return False
    return is_bare(exercise, parts(files[template.name], template.name), parts(template.read_bytes(), template.name))


def tell(receipt: Receipt, path: Path, language: str) -> Iterator[str]:
    """Yield what was packed and what would be graded."""
    say = _SAY[language]
    yield f"{path.as_posix()}  {say['as'].format(receipt.student)}"
    yield from (f"    {name}  {code[:16]}" for name, code in receipt.files.items())
    for assignment, exercises in receipt.exercises.items():
        bare = [name for name in exercises if name in receipt.bare]
        yield say["graded"].format(assignment, len(exercises), len(exercises) - len(bare))
        yield f"    {say['digest']} {receipt.digests[assignment]}"
        if bare:
            yield f"    {say['bare']} {', '.join(bare)}"
    if receipt.missing:
        yield f"{say['missing']} {', '.join(receipt.missing)}"
    yield f"{say['receipt']} {path.with_suffix('.receipt.json').as_posix()}"


_SAY = {
    "en": {
        "as": "to be graded as {}",
        "digest": "digest",
        "graded": "{}: {} exercises would be graded, {} of them written",
        "bare": "not written yet:",
        "missing": "not there:",
        "receipt": "receipt:",
    },
    "zh-TW": {
        "as": "將以 {} 的名義評分",
        "digest": "摘要",
        "graded": "{}：會評 {} 題，其中 {} 題已作答",  # noqa: RUF001  # Chinese punctuation
        "bare": "尚未作答：",  # noqa: RUF001  # likewise
        "missing": "缺少：",  # noqa: RUF001  # likewise
        "receipt": "收據：",  # noqa: RUF001  # likewise
    },
}
