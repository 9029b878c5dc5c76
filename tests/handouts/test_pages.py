"""Every handout has the same form, and both languages say the same."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.kit.handout import HINTS
from tests.conftest import ROOT
from tests.handouts.page import Page, Section, assignments, exercises, page

EACH = pytest.mark.parametrize("assignment", assignments())
IN_BOTH = pytest.mark.parametrize("language", ["en", "zh-TW"])


def both(assignment: str) -> tuple[Page, Page]:
    return page(assignment, "en"), page(assignment, "zh-TW")


def solution_lines(assignment: str) -> set[str]:
    """Every line of code that a student has to find, without indent and comment; what any text may hold is left out."""
    modules = set(load_assignment(ROOT / "assignments" / assignment).manifest.programs)
    source = "\n".join(Path(ROOT, "reference", f"{module}.py").read_text("utf-8") for module in modules)
    solutions = re.findall(r"# BEGIN SOLUTION\n(.*?)# END SOLUTION", source, flags=re.DOTALL)
    lines = (line.partition("  # ")[0].strip() for solution in solutions for line in solution.splitlines())
    return {line for line in lines if re.search(r"[(\[=@]", line) and len(line) > 6}


def code_in(hint: str) -> Iterator[str]:
    """The pieces of a hint between backticks that a student could copy: a call, an assignment, a slice, a product of arrays."""
    for span in re.findall(r"`([^`]+)`", hint):
        try:
            nodes = list(ast.walk(ast.parse(span.strip())))
        except SyntaxError:
            continue
        told = (ast.Call, ast.Assign, ast.AugAssign, ast.MatMult, ast.Slice, ast.comprehension, ast.Lambda)
        indices = [part for node in nodes if isinstance(node, ast.Subscript) for part in ast.walk(node.slice)]
        new_axis = any(isinstance(part, ast.Constant) and part.value in (None, ...) for part in indices)
        if new_axis or any(isinstance(node, told) for node in nodes):
            yield span


@EACH
def test_both_languages_have_the_same_headings(assignment: str) -> None:
    en, zh = both(assignment)
    assert [level for level, _ in en.headings] == [level for level, _ in zh.headings]


@EACH
def test_both_languages_have_the_same_exercises(assignment: str) -> None:
    told = [[(s.number, s.signature, s.points, s.minutes) for s in each.sections] for each in both(assignment)]
    assert told[0] == told[1]


@EACH
def test_both_languages_have_the_same_numbers_formulas_and_code(assignment: str) -> None:
    en, zh = both(assignment)
    assert en.numbers == zh.numbers
    assert en.equations == zh.equations
    assert en.code == zh.code


@EACH
@IN_BOTH
def test_the_exercises_are_those_of_the_manifest_with_its_points(assignment: str, language: str) -> None:
    sections, listed = page(assignment, language).sections, exercises(assignment)
    assert [section.number for section in sections] == list(range(1, len(listed) + 1))
    for section, exercise in zip(sections, listed, strict=True):
        asked = exercise.names or [name.rpartition("/")[2] for name in exercise.artifacts]
        assert any(name in section.title for name in asked), (section.title, asked)
        assert section.points == exercise.points, exercise.id
        assert section.minutes > 0


@EACH
def test_a_function_is_called_as_the_reference_is(assignment: str) -> None:
    pairs = zip(page(assignment, "en").sections, exercises(assignment), strict=True)
    for section, exercise in ((section, exercise) for section, exercise in pairs if exercise.names):
        function = getattr(import_module(f"reference.{exercise.module}"), section.signature.partition("(")[0], None)
        if inspect.isfunction(function):
            told = inspect.signature(function)
            plain = [each.replace(annotation=inspect.Parameter.empty) for each in told.parameters.values()]
            assert section.signature == f"{function.__name__}{inspect.Signature(plain)}"


@EACH
def test_every_exercise_that_the_text_refers_to_exists(assignment: str) -> None:
    en = page(assignment, "en")
    referred = re.findall(r"[Ee]xercises? (\d+)(?: and (\d+))?", en.text)
    assert {int(number) for pair in referred for number in pair if number} <= {s.number for s in en.sections}


@EACH
@IN_BOTH
def test_every_exercise_has_an_idea_a_shape_and_a_step_for_a_hint(assignment: str, language: str) -> None:
    for section in page(assignment, language).sections:
        assert tuple(label for label, _ in section.hints) == HINTS[language], section.title
        assert all(text for _, text in section.hints), section.title


@EACH
@IN_BOTH
def test_every_exercise_asks_once_what_would_break(assignment: str, language: str) -> None:
    assert {s.title: s.breaks for s in page(assignment, language).sections if s.breaks != 1} == {}


@EACH
@IN_BOTH
def test_no_hint_gives_the_code(assignment: str, language: str) -> None:
    lines = solution_lines(assignment)
    assert lines
    for section in page(assignment, language).sections:
        for _, hint in section.hints:
            assert "```" not in hint
            assert not [line for line in lines if line in hint], section.title
            assert list(code_in(hint)) == [], section.title


# The net itself: each of these mistakes is seen.

GOOD = """# T

### 1. `f(x)` -> [T] · 10 points · 5 minutes

Do it.

- *Idea:* think.
- *Shape:* [T], of
  one axis.
- *Step:* walk.

*What would break if* it did?
"""


def only(text: str) -> Section:
    [section] = Page(text, "en").sections
    return section


def test_an_exercise_is_read_in_both_forms() -> None:
    other = GOOD.replace(" · 10 points · 5 minutes\n\n", "\n\n10 points, about 5 minutes. ")
    for label in HINTS["en"]:
        other = other.replace(f"- *{label}:*", f"1. *{label}.*")
    assert only(GOOD) == only(other)
    assert only(GOOD).hints == (("Idea", "think."), ("Shape", "[T], of\n  one axis."), ("Step", "walk."))


@pytest.mark.parametrize("said", [" · 10 points", " · 5 minutes"])
def test_what_an_exercise_is_worth_and_takes_cannot_be_left_out(said: str) -> None:
    with pytest.raises(AssertionError, match="for exercise 1"):
        only(GOOD.replace(said, ""))


def test_a_hint_or_a_question_that_is_missing_is_missed() -> None:
    assert len(only(GOOD.replace("- *Step:*", "- Step:")).hints) == 2
    assert only(GOOD.replace("break", "happen")).breaks == 0


@pytest.mark.parametrize("code", ["`x.max()`", "`y = 3`", "`Q @ K`", "`x[..., None]`", "`x[1:]`"])
def test_code_in_a_hint_is_seen(code: str) -> None:
    assert list(code_in(f"write {code} here"))
    assert not list(code_in("call `softmax`, try `0 1 0 1` and `[1, 0]`, mind `**`; `N[i, j]` is one of `T - 1`"))


def test_numbers_are_read_whole_and_names_are_none() -> None:
    assert Page("float32 x_2 2.5 .018 -3,4 1/48 e² T-1 1-2", "en").numbers == [
        *("2.5", ".018", "-3", "4", "1", "48", "1", "1", "2")
    ]


@EACH
def test_a_handout_ends_with_what_one_can_now_explain(assignment: str) -> None:
    told = []
    for each, heading in zip(both(assignment), ("What you can now explain", "你現在能解釋"), strict=True):
        assert each.headings[-1] == (2, heading)
        told.append(len(re.findall(r"^- .+", each.text.rpartition(f"## {heading}")[2], flags=re.MULTILINE)))
    assert told[0] == told[1] >= 3
