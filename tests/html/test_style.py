"""The colours of the pages: what can be read on what, in every theme and on paper."""

from __future__ import annotations

import re

import pytest

from grader.heat import colours as picture
from grader.heat.drawn import SHADES
from tests.html.style import SHEET, contrast, variables


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_a_number_can_be_read_on_every_shade(scheme):
    colours = variables(scheme)
    assert all(contrast(colours[f"--n{k}"], colours[f"--h{k}"]) >= 4.5 for k in range(SHADES))
    shades = [contrast(colours[f"--h{k}"], colours["--h0"]) for k in range(SHADES)]
    assert shades == sorted(shades)


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_words_and_lines_can_be_told_from_the_paper(scheme):
    colours = variables(scheme)
    for name in ("ink", "quiet", "link", "good", "part", "bad", "ours"):
        assert contrast(colours[f"--{name}"], colours["--paper"]) >= 4.5
        assert contrast(colours[f"--{name}"], colours["--raised"]) >= 4.5
    for name in ("c0", "c1", "c2", "c3"):
        assert contrast(colours[f"--{name}"], colours["--paper"]) >= 3


def test_every_shade_has_a_rule():
    rules = set(re.findall(r"^\.(h\d|n\d) ", SHEET, re.MULTILINE))
    assert rules == {f"{letter}{k}" for letter in "hn" for k in range(SHADES)}


def test_a_picture_has_the_colours_of_the_pages_by_daylight():
    page = variables("light")
    assert [page[f"--h{k}"] for k in range(SHADES)] == list(picture.SHADE)
    assert [page[f"--n{k}"] for k in range(SHADES)] == list(picture.ON)
    named = {
        "paper": picture.PAPER,
        "ink": picture.INK,
        "quiet": picture.QUIET,
        "good": picture.GOOD,
        "bad": picture.BAD,
    }
    assert {name: page[f"--{name}"] for name in named} == named
