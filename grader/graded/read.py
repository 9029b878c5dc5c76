"""A graded class, as `grader grade --out FOLDER` left it: reports, and what the gradebook counts of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from grader.gradebook.book import FILE_NAME
from grader.gradebook.history import releases, worth
from grader.gradebook.place import opened, policy_for
from grader.gradebook.policy.model import FILE_NAME as POLICY
from grader.gradebook.show import Shown, class_of, released
from grader.model.errors import UsageError
from grader.model.report import Report, Summary, SummaryRow

_SUMMARY = "summary.json"
_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True)
class Counted:
    """What the gradebook says of a class.

    Args:
        students: What counts for each, with decisions and comments, by id.
        released: The assignments that students may see: all, until a policy or a release by hand says which.
    """

    students: Mapping[str, Shown]
    released: frozenset[str]


@dataclass(frozen=True)
class Graded:
    """A submission with its report.

    Args:
        row: Its line in the summary.
        report: The instructor's report.
        counted: What counts after lateness and decisions; None without a gradebook.
    """

    row: SummaryRow
    report: Report
    counted: Shown | None


@dataclass(frozen=True)
class GradedClass:
    """A folder of reports. Reports are large, so they are read one at a time.

    Args:
        folder: Where it lies.
        summary: The class at a glance.
        counted: What its gradebook says; None without one.
    """

    folder: Path
    summary: Summary
    counted: Counted | None

    def __iter__(self) -> Iterator[Graded]:
        """Return the submissions in the order of their ids.

        Raises:
            UsageError: A report is missing or is none.
        """
        return map(self._graded, self.summary.submissions)

    def of(self, student: str) -> Graded:
        """Return one submission by its id.

        Raises:
            UsageError: There is none, or its report is missing or is none.
        """
        for row in self.summary.submissions:
            if row.id == student:
                return self._graded(row)
        close = get_close_matches(student, [row.id for row in self.summary.submissions], n=1)
        raise UsageError(
            f"no submission of {student!r}",
            where=self.folder,
            hint=f"did you mean {close[0]!r}?" if close else "summary.json lists who was graded",
        )

    def _graded(self, row: SummaryRow) -> Graded:
        report = _read(self.folder / row.report, Report)
        return Graded(row, report, self.counted.students.get(row.id) if self.counted else None)


def read_class(folder: Path, policy: Path | None = None, now: float | None = None) -> GradedClass:
    """Read what a class was graded to.

    Args:
        folder: The folder of reports.
        policy: A policy; by default `policy.toml` beside the gradebook.
        now: Seconds since 1970, UTC, at which to ask what is released; by default now.

    Raises:
        UsageError: Nothing was graded there, or not by this version.
    """
    return GradedClass(folder, _read(folder / _SUMMARY, Summary), _counted(folder, policy, now))


def _counted(folder: Path, policy: Path | None, now: float | None) -> Counted | None:
    if not (folder / FILE_NAME).is_file():
        return None
    with opened(folder) as book:
        rules = policy_for(book.path, policy)
        students = {each.student: each for each in class_of(book, rules)}
        if policy is None and not (folder / POLICY).is_file() and not releases(book):
            return Counted(students, frozenset(worth(book)))
        return Counted(students, frozenset(released(book, rules, int(time.time() if now is None else now))))


def _read(path: Path, model: type[_Model]) -> _Model:
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=path, hint="`grader grade ... --out FOLDER` writes it"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"is no {model.__name__.lower()} of this version of the grader: {place}: {first['msg']}",
            where=path,
            hint="grade again, which costs little: what is known is not judged anew",
        ) from error
