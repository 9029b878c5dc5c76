"""What is not packed to hand in: under a name that is none, or a file of which nothing would count."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from grader.intake.ids import student_id
from grader.kit.work import Unreadable, parsed
from grader.model.errors import UsageError
from grader.model.manifest import SHEET
from grader.model.worksheet import OWNER

# Bytes: a file system takes 255, and what comes from elsewhere has a number or the time of handing in added to its name.
_LONGEST = 150
# What handouts and READMEs write in the place of an id, without what is around the letters.
_PLACEHOLDERS = {"yourid", "studentid", "你的學號", "你的代號", "你的id"}


def refuse_no_name(student: str) -> None:
    """Refuse an id that can name no file: the archive is called like it, and with a `/` in it it would lie elsewhere.

    Raises:
        UsageError: It cannot.
    """
    if not student or Path(student).name != student or not student.isprintable() or len(student.encode()) > _LONGEST:
        shown = student if len(student) <= _LONGEST else f"{student[:_LONGEST]}..."
        raise UsageError(
            f"{shown!r} cannot be the id of a student: the archive is called like it",
            hint=f"an id is a name for a file, without `/` and of at most {_LONGEST} bytes",
        )


def refuse_placeholder(student: str, command: str) -> None:
    """Refuse what handouts write in the place of an id: nobody is called so, and nobody would be graded.

    Args:
        student: What the submission would be called.
        command: What was asked for, such as `submit`.

    Raises:
        UsageError: It is such a word.
    """
    if re.sub(r"[\W_]", "", student).casefold() in _PLACEHOLDERS:
        raise UsageError(
            f"{student!r} stands for your own id",
            hint=f"put in its place what your course calls you, as in: grader {command} ada",
        )


def refuse_file(name: str, content: bytes, most: int, student: str) -> None:
    """Refuse a file of which nothing would count.

    Args:
        name: The file.
        content: What is in it.
        most: How many bytes a grader takes of it.
        student: What the submission will be called.

    Raises:
        UsageError: It is too large, no Python, no TOML, or another student's worksheet.
    """
    if len(content) > most:
        raise UsageError(
            f"{len(content)} bytes, and a grader takes {most}", where=name, hint="data has no place in a program"
        )
    if name.endswith(".py"):
        _refuse_no_python(name, content)
    elif name.endswith(SHEET):
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
