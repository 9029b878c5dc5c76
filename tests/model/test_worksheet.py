from __future__ import annotations

import tomllib
from typing import Any

import pytest
from pydantic import ValidationError

from grader.model.worksheet import Worksheet
from tests.e2e.toy_worksheet import QUESTIONS


def raw() -> dict[str, Any]:
    return tomllib.loads(QUESTIONS)


def complaint(data: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        Worksheet.model_validate(data)
    return str(caught.value)


def test_questions_are_asked_section_by_section():
    sheet = Worksheet.model_validate(raw())
    assert [found for found, _, _ in sheet.asked()] == ["small.matrix", "small.cells", "own.matrix", "own.cells"]
    section, question = sheet.question("own.cells")
    assert (section.id, question.kind, section.names) == ("own", "integer", ["rows", "columns"])
    with pytest.raises(KeyError):
        sheet.question("own.trace")


def test_two_sizes_that_could_be_equal_are_refused_for_a_wrong_order_would_not_show():
    data = raw()
    data["sections"][1]["draws"][1]["rows"].append([11])
    assert "rows and columns may both be 11: a wrong order of axes would not show" in complaint(data)
    data = raw()
    data["sections"][1]["numbers"] = {"heads": 8}
    assert "heads and columns may both be 8" in complaint(data)


def test_sizes_that_are_always_the_same_may_be_equal():
    data = raw()
    data["sections"][0]["numbers"] = {"rows": 3, "columns": 3}
    assert Worksheet.model_validate(data)


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("questions", 0, "sections"), ["own", "theirs"], "asked in 'theirs', which is no section"),
        (("questions", 1, "name"), "matrix", "'small.matrix' stands twice"),
        (("sections", 1, "id"), "small", "'small' stands twice"),
        (("questions", 0, "axes"), None, "a shape has `axes`, and nothing else has"),
        (("questions", 1, "axes"), 1, "a shape has `axes`, and nothing else has"),
        (
            ("questions", 1, "text"),
            {"en": "{depth}", "zh-TW": "無"},
            "{depth} is no number of the section: write {rows} or {columns}, and nothing more in the braces",
        ),
        (("questions", 1, "text"), {"en": "none", "zh-TW": "{"}, "small.cells: '{' has a brace too many or too few"),
        (("questions", 1, "text"), {"en": "rows}", "zh-TW": "無"}, "write a brace that is meant as such twice"),
        (("sections", 0, "id"), "student", "no section can be called 'student'"),
        (("sections", 0, "numbers"), {"rows": "2", "columns": 3}, "should be a valid integer"),
        (("sections", 0, "numbers"), {"rows": 2.0, "columns": 3}, "should be a valid integer"),
        (("sections", 1, "draws", 0, "rows"), [[5], [True]], "should be a valid integer"),
        (("questions", 0, "axes"), "2", "should be a valid integer"),
        (("sections", 1, "draws", 0, "rows"), [[2], [3, 4]], "should hold a number for each of rows"),
        (("sections", 1, "draws", 0, "rows"), [[2]], "at least 2 items"),
        (("sections", 1, "draws", 0, "names"), ["columns"], "columns is given twice"),
        (("answers",), {"own.cells": 6}, "Extra inputs are not permitted"),
    ],
)
def test_what_makes_no_sense_is_refused(place, value, said):
    data: Any = raw()
    holder = data
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    assert said in complaint(data)


@pytest.mark.parametrize(
    "place",
    [
        "{rows.foo}",
        "{rows[0]}",
        "{rows.__class__}",
        "{rows:>99999999}",
        "{rows:{columns}}",
        "{rows!r}",
        "{}",
        "{0}",
        "{ rows}",
    ],
)
def test_a_text_has_numbers_in_the_places_of_their_names_and_nothing_else(place):
    data = raw()
    data["questions"][1]["text"] = {"en": "none", "zh-TW": place}
    assert f"small.cells: {place} is no number of the section: write {{rows}} or {{columns}}" in complaint(data)
    data["questions"][1]["text"] = {"en": "{rows} x {columns}", "zh-TW": "{{rows}}"}
    assert Worksheet.model_validate(data)
