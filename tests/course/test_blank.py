"""The blank sheet is TOML whatever is asked, or the course is told before a student is."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from grader.course.blank import LANGUAGES, blank_sheet, unreadable
from grader.model.worksheet import Worksheet
from tests.e2e.toy_worksheet import QUESTIONS


def sheet(**more: Any) -> Worksheet:
    return Worksheet.model_validate(tomllib.loads(QUESTIONS) | more)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_blank_has_every_question_and_whose_it_is(language):
    found = tomllib.loads(blank_sheet(sheet(), "toy", "ada", language))
    assert found == {"student": "ada"} | {each: {"matrix": "", "cells": ""} for each in ("small", "own")}
    assert list(unreadable(sheet(), "toy")) == []


def test_a_text_that_would_break_the_sheet_is_told_with_its_language():
    told = list(unreadable(sheet(intro={"en": "Write\u0001 it.", "zh-TW": "寫\n# 下"}), "toy"))
    assert len(told) == 1
    assert "a blank worksheet in en would be no TOML" in told[0]
