"""Write the pages of a class beside its reports, or into another folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.graded.read import GradedClass
from grader.html.overview import REPORT, class_page
from grader.html.student import student_page
from grader.html.tally import Tally
from grader.pipeline.write import write_atomically

INDEX = "index.html"


@dataclass(frozen=True)
class Written:
    """What was written.

    Args:
        students: How many pages of students.
        withheld: The students of whom nothing is released.
        index: The page of the class; None where only students' were asked for.
    """

    students: int
    withheld: tuple[str, ...]
    index: Path | None


def write_pages(graded: GradedClass, out: Path, *, language: str = "en", students_only: bool = False) -> Written:
    """Write a page for each student, and one for the class.

    Args:
        graded: The class.
        out: The folder to write to, which is made where there is none.
        language: The one that is shown first; each page holds both.
        students_only: Whether to write what can be handed out alone: no page of the class, and of each student only what is released.

    Raises:
        UsageError: A report is missing or is none.
        GraderError: A page cannot be written.
    """
    written, withheld, tally = 0, list[str](), Tally()
    for each in graded:
        tally.add(each)
        page = student_page(each, graded.counted, language=language, released_only=students_only)
        if page is None:
            withheld.append(each.row.id)
            continue
        write_atomically(out / each.row.id / REPORT, page)
        written += 1
    if students_only:
        return Written(written, tuple(withheld), None)
    write_atomically(out / INDEX, class_page(graded, tally, language=language))
    return Written(written, tuple(withheld), out / INDEX)
