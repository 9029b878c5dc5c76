"""The blank worksheet of one student as text: the questions as comments, with their numbers, and a blank for each answer."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping

from grader.course.worksheet import numbers_of
from grader.model.worksheet import OWNER, Worksheet

LANGUAGES = ("en", "zh-TW")


def blank_sheet(questions: Worksheet, assignment: str, student: str, language: str) -> str:
    """Return what stands in the sheet that a student fills in.

    Args:
        questions: All of the assignment's.
        assignment: Its id.
        student: The id under which the sheet will be graded.
        language: `en` or `zh-TW`.
    """
    return "".join(f"{line}\n" for line in _lines(questions, assignment, student, language))


def unreadable(questions: Worksheet, assignment: str) -> Iterator[str]:
    """Tell of each language in which a blank sheet could not be read."""
    for language in LANGUAGES:
        text = blank_sheet(questions, assignment, "somebody", language)
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            yield f"a blank worksheet in {language} would be no TOML: {error}; look for strange characters in worksheet.toml"


def _lines(questions: Worksheet, assignment: str, student: str, language: str) -> Iterator[str]:
    yield from _comment(questions.title.said_in(language))
    yield "#"
    yield from _comment(questions.intro.said_in(language))
    yield f'{OWNER} = "{student}"'
    drawn: Mapping[str, int] = {}
    last = ""
    for question_id, section, question in questions.asked():
        if section.id != last:
            last = section.id
            drawn = numbers_of(section, assignment=assignment, student=student)
            yield from ("", f"[{section.id}]")
            yield from _comment(section.title.said_in(language))
            yield f"# {', '.join(f'{name} = {number}' for name, number in drawn.items())}"
        yield ""
        yield from _comment(question.text.said_in(language).format(**drawn))
        yield f'{question_id.partition(".")[2]} = ""'


def _comment(text: str) -> Iterator[str]:
    yield from (f"# {line}".rstrip() for line in text.strip().splitlines())
