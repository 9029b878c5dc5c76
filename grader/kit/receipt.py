"""What was packed, as a student keeps it and is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, Field

from grader.words import submit as words


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
    missing: list[str] = Field(
        default=[], description="The files that were not there, of assignments that were begun; where none was, of all"
    )

    @property
    def begun(self) -> list[str]:
        """The assignments of which something is written."""
        return [each for each, exercises in self.exercises.items() if not {*exercises} <= {*self.bare}]


def tell(receipt: Receipt, path: Path, language: str) -> Iterator[str]:
    """Yield what was packed and what would be graded; assignments that were not begun share a line, unless none was."""
    yield f"{path.as_posix()}  {words.AS(language, student=receipt.student)}"
    yield from (f"    {name}  {code[:16]}" for name, code in receipt.files.items())
    in_full = receipt.begun or list(receipt.exercises)
    for assignment in in_full:
        yield from _of(assignment, receipt, language)
    if rest := [each for each in receipt.exercises if each not in in_full]:
        yield words.NOT_BEGUN(language, names=", ".join(rest))
    if receipt.missing:
        yield words.MISSING(language, names=", ".join(receipt.missing))
    yield words.RECEIPT(language, path=path.with_suffix(".receipt.json").as_posix())


def _of(assignment: str, receipt: Receipt, language: str) -> Iterator[str]:
    exercises = receipt.exercises[assignment]
    bare = [name for name in exercises if name in receipt.bare]
    yield words.GRADED(language, assignment=assignment, count=len(exercises), written=len(exercises) - len(bare))
    yield f"    {words.DIGEST(language, digest=receipt.digests[assignment])}"
    if bare:
        yield f"    {words.BARE(language, names=', '.join(bare))}"
