"""The corpus is what it is said to be, and so is what SECURITY.md says of it."""

from __future__ import annotations

from collections import Counter

from grader.sandbox.base import Level
from grader.selftest.expectation import ABOUTS
from grader.selftest.probes import PROBES
from tests.adversarial.levels import CORPUS, HARMLESS
from tests.adversarial.table import SECURITY, refreshed


def test_there_are_a_hundred_attacks_and_some_of_every_class() -> None:
    assert len(CORPUS) >= 100
    classes = Counter(attack.expected.about for attack in CORPUS.values())
    assert all(classes[about] >= 5 for about in ABOUTS), classes


def test_no_two_attacks_are_told_in_the_same_words() -> None:
    for words in ([attack.expected.title for attack in CORPUS.values()], [attack.told for attack in CORPUS.values()]):
        assert not [word for word, count in Counter(words).items() if count > 1]


def test_the_strongest_levels_stop_every_attack() -> None:
    for level in (Level.FULL, Level.CONTAINER):
        assert not [attack.name for attack in CORPUS.values() if attack.happens(level)]


def test_a_level_with_a_sandbox_stops_what_a_weaker_one_stops() -> None:
    # At `none` a worker is started in another way, without all that a sandbox leaves open to build on.
    for attack in CORPUS.values():
        happens = [attack.happens(level) for level in Level if level is not Level.NONE]
        assert happens == sorted(happens), attack.name


def test_every_probe_is_used() -> None:
    assert {attack.expected.probe for attack in CORPUS.values()} == set(PROBES)


def test_most_attacks_may_run_on_a_persons_own_machine() -> None:
    assert len(HARMLESS) > len(CORPUS) / 2


def test_what_security_md_says_of_the_attacks_is_current() -> None:
    text = SECURITY.read_text("utf-8")
    assert refreshed(text, [*CORPUS.values()]) == text, "python -m tests.adversarial.table --write"
