from __future__ import annotations

import pytest

from grader.course.locate import load_assignments
from grader.kit.columns import width
from grader.kit.path import tell, tell_one
from grader.kit.state import State
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def unit():
    return load_assignments(ROOT, ["context", "attention", "masking", "positions", "layers"])


def test_the_map_shows_what_goes_on_from_what_with_minutes_and_points(unit):
    lines = list(tell(unit, State(), "en"))
    assert [line.split()[-1] for line in lines[:-1]] == ["counted", "Attention", "Masking", "positions)", "Positions"]
    assert lines[0] == "[ ] context           60 min  100 points   0 of 6 done  Context, averaged and counted"
    assert lines[3].startswith("[ ] │     └─ layers")
    assert lines[3].endswith("The layers of GPT-2 (and after positions)")
    assert lines[-1].split()[:3] == ["all", "580", "min"]


def test_how_far_one_is_stands_in_the_map(unit):
    done = State(finished=["context.average", *(each.id for each in unit[1].manifest.exercises)])
    context, attention, *_ = tell(unit, done, "en")
    assert context.startswith("[~] context")
    assert "1 of 6 done" in context
    assert attention.startswith("[x] ├─ attention")


def test_an_assignment_shows_its_exercises_and_what_each_needs(unit):
    lines = list(tell_one(unit[1], State(finished=["attention.softmax"]), "en"))
    assert lines[0] == "[x] attention.softmax      15 min   10 points  A stable softmax"
    assert lines[3].endswith("Attention weights (after softmax, scores)")


def test_the_columns_of_chinese_text_stand_below_one_another(unit):
    lines = list(tell(unit, State(), "zh-TW"))
    assert len({line.index(" 分") for line in (line.replace("總計", "----") for line in lines)}) == 1


def test_an_assignment_whose_first_is_not_there_stands_at_the_left():
    [masking] = load_assignments(ROOT, ["masking"])
    assert next(iter(tell([masking], State(), "en"))).startswith("[ ] masking")


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_no_line_is_wider_than_a_terminal_and_what_goes_on_stands_below_itself(unit, language):
    for columns in (60, 80, 100):
        assert max(map(width, tell(unit, State(), language, columns))) <= columns
    title = "Attention weights (after"
    first, rest = [each for each in tell_one(unit[1], State(), "en", 80) if title in each or "softmax, scores)" in each]
    assert rest.index("softmax, scores)") == first.index(title) + 4
