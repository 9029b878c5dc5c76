"""Of a worksheet each wrong answer is named by itself, by as few mistakes as explain them."""

from __future__ import annotations

import pytest

from grader.judge.diagnose import Finding, Recorded
from grader.judge.questions import by_question
from grader.judge.record import Call, Outcome, Request
from grader.judge.single import Heard
from grader.model.verdict import Tier
from grader.testing.catalogue import Explained, Misconception
from grader.testing.tolerance import EXACT

SAID = Explained("name", "why", "hint")


class Fitting:
    """Names what it is told to: from a question to the misconceptions that fit it."""

    def __init__(self, **fits: str) -> None:
        self._fits = fits

    def singles(self, exercise, calls):
        assert exercise == "toy.sheet"
        names = self._fits.get(calls[0].call.request.args[0], "")
        return [
            Finding((Misconception(f"toy.sheet/{name}", "answer", print, SAID, SAID),), len(calls), 1) for name in names
        ]


def heard(question: str, *, failed: bool = True, tier: Tier = Tier.QUESTION, test: str = "test_answer") -> Heard:
    call = Call(Request("answer", (question,)), Outcome(value=1))
    return Heard(failed, tier, Recorded(call, EXACT), f"hidden/a.py::{test}[{question}]")


def named(fits: dict[str, str], *calls: Heard) -> list[tuple[str, list[str], int]]:
    found = by_question(Fitting(**fits), "toy.sheet", calls)
    return [
        (finding.misconceptions[0].id[-1], [test.partition("[")[2][:-1] for test in tests], finding.calls)
        for finding, tests in found
    ]


@pytest.mark.parametrize(
    ("fits", "told"),
    [
        ({"q": "a", "k": "b"}, [("a", ["q"], 1), ("b", ["k"], 1)]),
        ({"q": "a", "k": "a"}, [("a", ["q", "k"], 2)]),
        # One number may come of several mistakes; the other answers say of which.
        ({"q": "ab", "k": "b", "v": "b"}, [("b", ["q", "k", "v"], 3)]),
        ({"q": "ab", "k": "ab"}, [("a", ["q", "k"], 2)]),
        ({"q": "ab", "k": "ac", "v": "c"}, [("a", ["q", "k"], 2), ("c", ["v"], 1)]),
        ({"k": "a"}, [("a", ["k"], 1)]),
        ({}, []),
    ],
)
def test_as_few_mistakes_as_can_explain_the_wrong_answers(fits, told):
    assert named(fits, heard("q"), heard("k"), heard("v")) == told


def test_a_right_answer_is_no_mistake_even_where_one_would_give_it_too():
    assert named({"q": "a", "k": "a"}, heard("q"), heard("k", failed=False)) == [("a", ["q"], 1)]


def test_what_is_no_question_is_not_asked_about():
    assert named({"q": "a"}, heard("q", tier=Tier.CORE)) == []


def test_two_tests_of_one_question_are_both_explained():
    assert named({"q": "a"}, heard("q"), heard("q", test="test_form")) == [("a", ["q", "q"], 2)]
