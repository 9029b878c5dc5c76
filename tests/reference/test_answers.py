"""The worksheet's answers are those of the functions that students write, and its questions leave nothing to chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.course.assignment import load_assignment
from grader.course.worksheet import load_worksheet, numbers_of
from reference import shapes
from reference.answers import answer
from tests.conftest import ROOT

SHEET = load_worksheet(load_assignment(ROOT / "assignments" / "shapes"))
assert SHEET
ASKED = [found for found, _, _ in SHEET.asked()]
IDS = st.text(max_size=12)


def numbers(student: str, question: str) -> dict[str, int]:
    section, _ = SHEET.question(question)
    return numbers_of(section, assignment="shapes", student=student)


@given(IDS, st.sampled_from(ASKED))
def test_each_answer_is_what_the_functions_of_the_assignment_give(student, question):
    n = numbers(student, question)
    model = shapes.ModelShape(*(n[name] for name in ("n_layer", "n_head", "d_model", "vocab_size", "block_size")))
    within = {name: list(shape) for name, shape in shapes.attention_shapes(model, n["B"], n["T"]).items()}
    bytes_ = shapes.attention_memory(model, n["B"], n["T"])
    longer = shapes.attention_memory(model, n["B"], n["T"] * n.get("times", 1))
    known = within | shapes.parameter_count(model) | {"bytes": bytes_, "growth": longer // bytes_}
    assert answer(question, **n) == known[question.partition(".")[2]]


def test_the_first_example_and_the_published_count():
    assert answer("femto.scores", **numbers("ada", "femto.scores")) == [3, 1, 5, 5]
    assert answer("gpt2.total", **numbers("ada", "gpt2.total")) == 124_439_808


@given(IDS, st.sampled_from(ASKED))
def test_no_two_sizes_of_an_answer_are_equal_save_queries_and_keys(student, question):
    right = answer(question, **numbers(student, question))
    if isinstance(right, list):
        square = question.endswith(("scores", "weights"))
        assert len(set(right)) == len(right) - square
        assert len(right) == SHEET.question(question)[1].axes


def test_in_every_model_that_can_be_drawn_the_heads_share_the_width():
    for section in SHEET.sections:
        for draw in section.draws:
            if "n_head" in draw.names:
                assert all(width % heads == 0 for heads, width in draw.rows)


def test_no_sequence_that_can_be_drawn_is_longer_than_its_model_reads():
    for section in SHEET.sections:
        of = {name: draw.values(name) for draw in section.draws for name in draw.names}
        of |= {name: {number} for name, number in section.numbers.items()}
        assert max(of["T"]) < min(of["block_size"])


def test_students_of_a_class_have_sheets_of_their_own():
    sheets = {tuple(tuple(numbers(f"s{n}", f"{part}.merged").values()) for part in ("gpt2", "own")) for n in range(300)}
    assert len(sheets) == 300


def test_a_question_that_is_not_asked_is_refused():
    with pytest.raises(ValueError, match=r"does not ask 'own\.trace'"):
        answer("own.trace", **numbers("ada", "own.q"))


@pytest.mark.parametrize("language", ["", ".zh-TW"])
def test_the_handout_counts_the_questions_as_they_are(language):
    text = (ROOT / "assignments" / "shapes" / f"handout{language}.md").read_text("utf-8")
    assert len(ASKED) == 24
    assert ("Twenty-four questions" in text) or ("二十四個問題" in text)


def test_each_of_the_four_models_is_asked_about():
    sections = {section.id for section in SHEET.sections}
    assert sections == {"femto", "pico", "gpt2", "own"} == {found.partition(".")[0] for found in ASKED}
