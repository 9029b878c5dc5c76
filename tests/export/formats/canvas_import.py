"""What Canvas does with a file that is imported, by the rules of its importer."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_NO_ASSIGNMENT = re.compile("Current Score|Current Points|Current Grade|Final Score|Final Points|Final Grade|Override")


@dataclass
class Course:
    """A course as Canvas has it: students by number, assignments by number, and scores."""

    students: Mapping[str, str]
    assignments: Mapping[str, str]
    scores: dict[tuple[str, str], str] = field(default_factory=dict)
    points: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)

    def take(self, text: str) -> None:
        """Import a file."""
        text = text.removeprefix("\ufeff")
        first = text.splitlines()[0]
        rows = list(csv.reader(io.StringIO(text), delimiter=";" if first.count(";") > first.count(",") else ","))
        header = rows[0]
        assert len(header) > 3
        assert "Student" in header[0]
        assert "ID" in header[1]
        columns = {place: self._assignment(name) for place, name in enumerate(header) if self._counts(place, header)}
        for row in rows[1:]:
            if "Points Possible" in row[0]:
                self.points |= {number: row[place] for place, number in columns.items() if row[place]}
            elif not all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", cell, re.IGNORECASE) for cell in row):
                self._row(row, columns)

    def _row(self, row: list[str], columns: Mapping[int, str]) -> None:
        if row[1] not in self.students:
            self.made.append(f"student {row[0]}")
            return
        for place, number in columns.items():
            if row[place].strip() in {"", "-"}:
                self.scores.pop((row[1], number), None)
            else:
                self.scores[row[1], number] = row[place].strip()

    @staticmethod
    def _counts(place: int, header: list[str]) -> bool:
        return place > header.index("Section") and not _NO_ASSIGNMENT.search(header[place])

    def _assignment(self, name: str) -> str:
        numbered = re.fullmatch(r"(.*)\s\((\d+)\)", name)
        if numbered and numbered[2] in self.assignments:
            return numbered[2]
        if name in self.assignments.values():
            return next(number for number, title in self.assignments.items() if title == name)
        self.made.append(f"assignment {name}")
        return name
