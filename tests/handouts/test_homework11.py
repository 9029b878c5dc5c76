"""The numbers of the handout of `homework11`, each computed from the corpus or read off the program."""

from __future__ import annotations

import itertools
import math
import re
import shlex
import string
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from hw11.arguments import parser
from hw11.loop import FIRST

from grader.course.assignment import load_assignment
from tests.conftest import ROOT
from tests.curves import CHARACTERS, MEASURED, STEPS, floor
from tests.handouts.claims import struck
from tests.handouts.page import page

EN = page("homework11", "en")
ASSIGNMENT = load_assignment(ROOT / "assignments" / "homework11")
CORPUS = ASSIGNMENT.data("corpus.txt").read_text("utf-8")


@cache
def tokens():
    vocabulary = sorted(set(CORPUS))
    ids = np.searchsorted(vocabulary, list(CORPUS))
    cut = int(0.9 * len(ids))
    return len(vocabulary), ids[:cut], ids[cut:]


def unigram() -> float:
    V, train, val = tokens()
    counts = np.bincount(train, minlength=V) + 1.0
    return -np.log(counts / counts.sum())[val[1:]].mean()


def bigram() -> float:
    V, train, val = tokens()
    counts = np.ones((V, V))
    np.add.at(counts, (train[:-1], train[1:]), 1)
    return -np.log(counts / counts.sum(axis=1, keepdims=True))[val[:-1], val[1:]].mean()


def measured() -> Iterator[str]:
    V, train, _ = tokens()
    yield f"{len(CORPUS)} characters of it, of {V} kinds, the end of a line among them: the first {100 * len(train) / len(CORPUS):.0f} % train"
    yield f"ln {V} = {math.log(V):.3f} | {V} |"
    yield f"counts characters | {unigram():.3f} | {math.exp(unigram()):.1f} |"
    yield f"counts pairs of characters | {bigram():.3f} | {math.exp(bigram()):.1f} |"
    yield f"ln(e + {V - 1}) - 1 = {math.log(math.e + V - 1) - 1:.3f}"
    assert bigram() < unigram()
    yield "never further apart than 1"


def rules() -> Iterator[str]:
    """What sets a task or a rule; the suite holds a run to it."""
    yield from (
        "context 128, batch 64, 500 steps, peak rate 0.01, dropout 0",
        "below 0.5 is too good",
        "The points add to 100",
        "steps from 0 to the last",
        "you wait for 500 steps",
        "each logged step, 0 to 4 at first",
        "pico for 50 steps",
        "100 at least",
        "one sample at temperature 0.5 and one at 1.5",
        "within 0.001. Dropout is 0",
        "to within 0.001, and",
        "Homework 11: a trained GPT-2",
        "a small GPT-2",
    )
    [answers] = [each for each in ASSIGNMENT.manifest.artifacts if each.collect]
    [points] = {item.points for item in answers.rubric}
    yield f"up to {points:g} points an answer"


def logged() -> Iterator[str]:
    """Which steps are logged where nothing is said."""
    arguments = parser("homework11.py {}", ROOT).parse_args(["train"])
    assert FIRST == 5
    yield f"the first five steps, every {arguments.log_every}th (`--log-every`) and the last"


ROWS = {
    "right": "right",
    "a softmax before the loss takes its own": "double softmax",
    "targets not shifted": "no shift",
    "dropout left on in evaluation": "dropout at evaluation",
    "heads cut by a view": "view instead of transpose",
}


def trained() -> Iterator[str]:
    """What four mistakes look like in a run; the runs themselves are made again among the slow tests."""
    yield f"The first {CHARACTERS} characters of the built-in corpus, of 40 kinds, were learned for {STEPS} steps"
    yield "after 50, 100, 150 and 200 steps"
    yield "| code | first | 50 | 100 | 150 | 200 |"
    for told, name in ROWS.items():
        yield f"| {told} | {' | '.join(f'{loss:.2f}' for loss in MEASURED[name])} |"
    right = MEASURED["right"][-1]
    assert sum(losses[-1] < right for losses in MEASURED.values()) == 3
    assert all(losses[-1] <= 0.9 * losses[0] for losses in MEASURED.values())
    assert MEASURED["double softmax"][-1] > floor(40)
    yield f"ln(e + 39) - 1 = {floor(40):.3f}"


TOPICS = [measured, trained, rules, logged]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_handout_says_what_was_computed(topic: Callable[[], Iterator[str]]) -> None:
    missing, _ = struck(EN, topic())
    assert missing == []


def test_no_other_number_stands_in_the_handout() -> None:
    _, left = struck(EN, itertools.chain.from_iterable(topic() for topic in TOPICS))
    assert left == []


COMMANDS = [
    shlex.split(line) for block in EN.code for line in block.splitlines() if line.startswith("python homework11.py")
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_of_the_handout_is_one_of_the_program(command: list[str]) -> None:
    arguments = parser("homework11.py {}", ROOT).parse_args(command[2:])
    told = set(getattr(arguments, "prompt", None) or [])
    assert {letter for prompt in told for letter in prompt} <= set(CORPUS)


def test_the_command_of_a_missing_run_is_that_of_the_handout() -> None:
    assert shlex.split(ASSIGNMENT.manifest.artifacts_by or "") in COMMANDS


def test_training_sampling_and_drawing_are_all_told() -> None:
    assert {command[2] for command in COMMANDS} == {"train", "sample", "plot"}
    several = [command.count("--prompt") for command in COMMANDS if "--seed" in command]
    assert several == [3]


def test_the_corpus_holds_the_signs_that_the_handout_says() -> None:
    assert set(string.printable[:95]) - set(CORPUS) == {"$", "`"}
    assert set(CORPUS) - set(string.printable[:95]) == {"\n"}


def test_the_exercises_take_the_three_hours_that_the_handout_allows() -> None:
    assert "about three hours" in EN.text
    assert sum(section.minutes for section in EN.sections) == 180


def test_each_question_in_words_has_its_item_in_the_rubric() -> None:
    [answers] = [each for each in ASSIGNMENT.manifest.artifacts if each.collect]
    for language in ("en", "zh-TW"):
        words = page("homework11", language).text
        asked = re.search(r"`answers\.md`[^\n]*\n\n((?:\d\. .*\n)+)", words)
        assert asked is not None
        assert asked[1].count("\n") == len(answers.rubric)
