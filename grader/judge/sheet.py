"""A student's worksheet as a test sees it: the questions, with the numbers of this student."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from shlex import quote

from grader.course.worksheet import numbers_of
from grader.model.errors import CourseError
from grader.model.manifest import SHEET
from grader.model.worksheet import OWNER, Question, Section, Worksheet

_LONGEST_ID = 200
_TOLD, _SHOWN = 3, 60
_SOMEBODY = "YOUR-ID"


@dataclass(frozen=True)
class Sheet:
    """What the fixture `worksheet` is.

    Args:
        questions: All of the assignment's.
        assignment: The assignment's id.
        owner: Tells whose it is; asked when numbers are.
    """

    questions: Worksheet
    assignment: str
    owner: Callable[[], str]

    def numbers(self, question_id: str) -> dict[str, int]:
        """Return the numbers that this student finds at a question.

        Raises:
            CourseError: There is no such question.
            StudentError: Whose worksheet it is can only be read in it, and it cannot be read.
        """
        section, _ = self._asked(question_id)
        return numbers_of(section, assignment=self.assignment, student=self.owner())

    def question(self, question_id: str) -> Question:
        """Return what is asked.

        Raises:
            CourseError: There is no such question.
        """
        return self._asked(question_id)[1]

    def _asked(self, question_id: str) -> tuple[Section, Question]:
        try:
            return self.questions.question(question_id)
        except KeyError:
            raise CourseError(
                f"the worksheet of {self.assignment} does not ask {question_id!r}",
                hint="`questions(__file__)` of grader.testing gives the ids of those that it asks",
            ) from None


def missing(file: str, student: str | None) -> str:
    """Return what to tell of a file that is not there."""
    remedy = f": `grader worksheet {quote(student or _SOMEBODY)}` writes it" if file.endswith(SHEET) else ""
    return f"there is no {file}{remedy}"


def strangers(entries: object, asked: Sequence[str]) -> str:
    """Return what is told of tables and keys that no question has, each with the one that may be meant; empty where nothing is.

    Args:
        entries: What stands in the sheet, by the names that it has there.
        asked: The questions that there are.
    """
    sections = list(dict.fromkeys(each.partition(".")[0] for each in asked))
    known = {OWNER, *sections, *asked}
    found = [each for each in entries if isinstance(each, str)] if isinstance(entries, list) else []
    told = dict.fromkeys(_stranger(each, sections, asked) for each in found if each not in known)
    more = f"; and {len(told) - _TOLD} more" if len(told) > _TOLD else ""
    return "; ".join(list(told)[:_TOLD]) + more


def _stranger(entry: str, sections: Sequence[str], asked: Sequence[str]) -> str:
    table, point, _ = entry.partition(".")
    if point and table not in sections:
        close = get_close_matches(table, sections, n=1) or get_close_matches(entry, sections, n=1)
        return f"[{table[:_SHOWN]}] is no section of the worksheet" + (f": did you mean [{close[0]}]?" if close else "")
    close = get_close_matches(entry, asked, n=1)
    return f"{entry[:_SHOWN]} is no question of the worksheet" + (f": did you mean {close[0]}?" if close else "")


def whose(file: str, claimed: object, student: str | None) -> str | None:
    """Return what is wrong with the name on a worksheet; None where nothing is.

    Args:
        file: The worksheet's.
        claimed: What it says.
        student: Whose submission it is, where that is known.
    """
    if not isinstance(claimed, str) or not 0 < len(claimed) <= _LONGEST_ID:
        named = student or _SOMEBODY
        return f'{file} does not say whose it is: put `student = "{named}"` back, as `grader worksheet {quote(named)}` wrote it'
    if student is not None and claimed != student:
        return (
            f"this worksheet is for {claimed}, not for {student}: its numbers are not yours, so none of its answers count; "
            f"`grader worksheet {quote(student)}` writes yours"
        )
    return None
