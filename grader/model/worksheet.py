"""`worksheet.toml`: questions with numbers of the student's own. It holds no answers, so that a kit has it too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from string import Formatter
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from grader.model.manifest import Identifier, Strict, Text

NumberName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=64)]
Number = Annotated[int, Field(strict=True, ge=1, le=10**9)]
# What the sheet says of itself, beside its sections.
OWNER = "student"


class Draw(Strict):
    """Numbers that are drawn together, such as a width and the heads that divide it."""

    names: list[NumberName] = Field(min_length=1)
    rows: list[list[Number]] = Field(min_length=2, description="One of them is taken: a number for each name")

    def values(self, name: str) -> set[int]:
        """Return all that may come out for a name."""
        return {row[self.names.index(name)] for row in self.rows}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if wrong := [row for row in self.rows if len(row) != len(self.names)]:
            raise ValueError(f"{wrong[0]} should hold a number for each of {', '.join(self.names)}")
        return self


class Section(Strict):
    """Questions about one thing: its numbers, the same for all students or drawn for each."""

    id: Identifier
    title: Text
    numbers: dict[NumberName, Number] = Field(default={}, description="The same for all students")
    draws: list[Draw] = Field(default=[], description="Drawn for each student")

    @property
    def names(self) -> list[str]:
        """The names of all numbers."""
        return [*self.numbers, *(name for draw in self.draws for name in draw.names)]

    @model_validator(mode="after")
    def _can_be_told_apart(self) -> Self:
        """Two sizes that could come out alike would hide an answer with its axes in the wrong order."""
        names = self.names
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"{twice[0]} is given twice")
        drawn = {name: draw.values(name) for draw in self.draws for name in draw.names}
        fixed = {name: {number} for name, number in self.numbers.items()}
        for one, other in combinations(fixed | drawn, 2):
            both = (fixed | drawn)[one] & (fixed | drawn)[other]
            if both and not (one in fixed and other in fixed):
                raise ValueError(f"{one} and {other} may both be {min(both)}: a wrong order of axes would not show")
        return self


class Question(Strict):
    """One question, asked in one section or in several."""

    name: Identifier
    sections: list[Identifier] = Field(min_length=1)
    kind: Literal["shape", "integer"]
    axes: int | None = Field(None, strict=True, ge=1, le=8, description="How many axes the shape has")
    text: Text = Field(description="The question; {T} stands for a number of the section")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if (self.kind == "shape") is (self.axes is None):
            raise ValueError("a shape has `axes`, and nothing else has")
        return self


class Worksheet(Strict):
    """All questions of an assignment's worksheet."""

    schema_version: Literal[1] = 1
    title: Text
    intro: Text = Field(description="How to answer")
    sections: list[Section] = Field(min_length=1)
    questions: list[Question] = Field(min_length=1)

    def asked(self) -> Iterator[tuple[str, Section, Question]]:
        """Yield every question by its id, `own.q`, section by section."""
        for section in self.sections:
            for question in self.questions:
                if section.id in question.sections:
                    yield f"{section.id}.{question.name}", section, question

    def question(self, question_id: str) -> tuple[Section, Question]:
        """Return a question and the section it is asked in.

        Raises:
            KeyError: There is no such question.
        """
        for found, section, question in self.asked():
            if found == question_id:
                return section, question
        raise KeyError(question_id)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        ids = [section.id for section in self.sections]
        if OWNER in ids:
            raise ValueError(f"no section can be called {OWNER!r}: the sheet says under that name whose it is")
        asked = [found for found, _, _ in self.asked()]
        if twice := [each for known in (ids, asked) for each in known if known.count(each) > 1]:
            raise ValueError(f"{twice[0]!r} stands twice")
        for question in self.questions:
            if unknown := [each for each in question.sections if each not in ids]:
                raise ValueError(f"question {question.name!r} is asked in {unknown[0]!r}, which is no section")
        for question_id, section, question in self.asked():
            _refuse_strange_places(question_id, section, question)
        return self


def _refuse_strange_places(question_id: str, section: Section, question: Question) -> None:
    """Of what Python's formats can do, only a number in the place of its name is wanted."""
    for text in (question.text.en, question.text.zh_tw):
        try:
            places = [place[1:] for place in Formatter().parse(text) if place[1] is not None]
        except ValueError as error:
            raise ValueError(
                f"{question_id}: {text!r} has a brace too many or too few ({error}): write a brace that is meant as such twice"
            ) from error
        for name, code, conversion in places:
            if name not in section.names or code or conversion:
                raise ValueError(
                    f"{question_id}: {_place(name, code, conversion)} is no number of the section: {_remedy(section)}"
                )


def _place(name: str | None, code: str | None, conversion: str | None) -> str:
    return f"{{{name}{f'!{conversion}' if conversion else ''}{f':{code}' if code else ''}}}"


def _remedy(section: Section) -> str:
    return f"write {' or '.join(f'{{{name}}}' for name in section.names) or 'the text without it'}, and nothing more in the braces"
