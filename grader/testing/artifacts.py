"""What a student's program wrote, as a test reads it: data of a stranger, with words for whatever is wrong in it."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError
from grader.testing.telling import say
from grader.words import tests as words


@dataclass(frozen=True)
class Artifacts:
    """What the fixture `artifacts` is: the files of a submission that are data.

    Args:
        files: Their content, by name.
        refused: Why others, which are there, could not be taken.
        written_by: The command that writes them, where the assignment names one.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    written_by: str | None = None

    def __getitem__(self, name: str) -> bytes:
        """Return the content of a file.

        Raises:
            StudentError: It was not handed in, or could not be taken.
        """
        if name in self.refused:
            raise StudentError(Status.IMPORT_ERROR, Cause(("ValueError",), self.refused[name]))
        if name not in self.files:
            raise StudentError(
                Status.NOT_IMPLEMENTED, Cause(("FileNotFoundError",), name, note=self._how_to_have(name))
            )
        return self.files[name]

    def _how_to_have(self, name: str) -> str:
        if self.written_by is None:
            return say(words.HAND_IN, name=name)
        return say(words.HAND_IN_BY, name=name, command=self.written_by)

    def text(self, name: str) -> str:
        """Return the content of a text file.

        Raises:
            AssertionError: It is no UTF-8; the message has the line.
            StudentError: As for `__getitem__`.
        """
        content = self[name]
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise AssertionError(
                say(words.NOT_UTF8, name=name, line=line, byte=f"{content[error.start]:02x}")
            ) from None

    def json(self, name: str) -> Any:  # noqa: ANN401  # whatever it holds
        """Return what a JSON file holds.

        Raises:
            AssertionError: It is no JSON; the message has the line.
            StudentError: As for `__getitem__`.
        """
        try:
            return json.loads(self.text(name), parse_constant=_no_number)
        except json.JSONDecodeError as error:
            raise AssertionError(say(words.NO_JSON, name=name, line=error.lineno, error=error.msg)) from None
        except (RecursionError, ValueError) as error:
            raise AssertionError(say(words.UNREADABLE_JSON, name=name, error=error)) from None

    def table(self, name: str, columns: list[str]) -> dict[str, list[float]]:
        """Return the columns of a CSV file of numbers.

        Args:
            name: The file.
            columns: What its first line must name, in this order.

        Raises:
            AssertionError: It has other columns, a line of another length, or something that is no finite number.
            StudentError: As for `__getitem__`.
        """
        lines = csv.reader(self.text(name).splitlines())
        head = next(lines, [])
        if head != columns:
            raise AssertionError(say(words.COLUMNS, name=name, expected=",".join(columns), got=",".join(head)[:200]))
        rows = [_numbers(row, columns, say(words.CSV_LINE, name=name, line=lines.line_num)) for row in lines]
        return {column: [row[i] for row in rows] for i, column in enumerate(columns)}


def _numbers(row: list[str], columns: list[str], place: str) -> list[float]:
    if len(row) != len(columns):
        raise AssertionError(say(words.ENTRIES_OF_LINE, place=place, count=len(row), columns=len(columns)))
    return [_number(text, f"{place}, {column}") for text, column in zip(row, columns, strict=True)]


def _number(text: str, place: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise AssertionError(say(words.NO_FINITE_NUMBER, place=place, text=repr(text[:50])))
    return number


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")
