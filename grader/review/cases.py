"""What a person should look at: answers in words, plots, and what the grader was unsure of."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.graded.read import Graded
from grader.model.manifest import RubricItem, Text
from grader.model.report import AssignmentReport, Report, SubmittedFile

_PNG = b"\x89PNG\r\n\x1a\n"
_AROUND = 3


@dataclass(frozen=True)
class Answer:
    """An answer in words.

    Args:
        student: Whose.
        assignment: In which assignment.
        file: Its file.
        title: What it is about.
        text: What was written.
        rubric: What to look for.
        plots: The plots that were handed in with it, PNG, by their files.
    """

    student: str
    assignment: str
    file: str
    title: Text
    text: str
    rubric: Sequence[RubricItem]
    plots: dict[str, bytes]

    @property
    def digest(self) -> str:
        """What tells a text from a changed one."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Case:
    """Something that a person decides about, or lets stand.

    Args:
        student: Whose.
        assignment: In which assignment.
        exercise: In which exercise; empty where it is about the whole.
        about: What was seen.
        shown: Lines of the submission around it, or what went wrong.
    """

    student: str
    assignment: str
    exercise: str
    about: str
    shown: str


def answers(of: Graded) -> Iterator[Answer]:
    """Yield the answers in words of a submission, in the order of its assignments; what was not handed in is not read."""
    for part in of.report.assignments:
        for each in part.collected:
            if each.text.strip():
                plots = dict(_plots(of.report))
                yield Answer(of.row.id, part.id, each.file, each.title, each.text, each.rubric, plots)


def cases(of: Graded) -> Iterator[Case]:
    """Yield what a person should see of a submission: faults of ours without a score, and flags in the source."""
    for part in of.report.assignments:
        yield from _faults(of.row.id, part)
        for flag in part.flags:
            shown = _around(of.report.submission.files, flag.file, flag.line)
            yield Case(of.row.id, part.id, "", f"{flag.file}, line {flag.line}: {flag.name}", shown)


def _faults(student: str, part: AssignmentReport) -> Iterator[Case]:
    """An assignment that is ours to mend is one case; its exercises are not told one by one."""
    if part.problem is not None:
        yield Case(student, part.id, "", "could not be graded, by a fault of the grader or the course", part.problem)
        return
    for each in part.exercises:
        if each.score is None:
            yield Case(student, part.id, each.id, "has no score, by a fault of the grader or the course", each.message)


def _plots(report: Report) -> Iterator[tuple[str, bytes]]:
    for file in report.submission.files:
        content = base64.b64decode(file.content)
        if content.startswith(_PNG):
            yield file.name, content


def _around(files: Sequence[SubmittedFile], name: str, line: int) -> str:
    """Return the lines around one, each with its number."""
    content = next((base64.b64decode(file.content) for file in files if file.name == name), b"")
    lines = content.decode("utf-8", errors="replace").splitlines()
    first = max(0, line - 1 - _AROUND)
    return "\n".join(f"{number:4}  {text}" for number, text in enumerate(lines[first : line + _AROUND], first + 1))
