"""The corpus at one level, run once for all tests of a file; those of a file stay in one process."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import pytest

from grader.sandbox.base import Level
from grader.sandbox.registry import BACKENDS
from grader.selftest.corpus import Attack, harmless, load_corpus
from grader.selftest.expectation import About
from grader.selftest.outcome import Outcome, Result
from grader.selftest.run import run_attacks
from tests.sandbox import emulated

HERE = Path(__file__).parent
CORPUS = {attack.name: attack for attack in load_corpus(HERE)}
HARMLESS = {attack.name: attack for attack in harmless(CORPUS.values())}


Chooses = Callable[[Attack], bool]


def every(_: Attack) -> bool:
    """All of the corpus."""
    return True


def of(*abouts: About) -> Chooses:
    """The attacks of some classes."""
    return lambda attack: attack.expected.about in abouts


def happening(level: Level) -> Chooses:
    """The attacks that a level does not stop: that they are seen shows that their probes see."""
    return lambda attack: attack.happens(level)


@dataclass(frozen=True)
class Machine:
    """A level and the machine that gives it: this one, or one that is emulated.

    Args:
        level: The level that the grader is told to hold at.
        kind: The machine, one of `emulated.KINDS`; None for this one.
        chooses: The attacks to hand in.
    """

    level: Level
    kind: str | None = None
    chooses: Chooses = every

    @property
    def attacks(self) -> dict[str, Attack]:
        allowed = HARMLESS if self.level is Level.NONE else CORPUS
        return {name: attack for name, attack in allowed.items() if self.chooses(attack)}

    def rest(self) -> Machine:
        """The same with the attacks that this one leaves out: they take longer than they tell, after each push."""
        return replace(self, chooses=lambda attack: not self.chooses(attack))

    def unavailable(self) -> str | None:
        if self.kind is None:
            return BACKENDS[self.level].unavailable() if self.level in BACKENDS else "there is no such level yet"
        return None if sys.platform == "linux" and os.geteuid() == 0 else "a machine is emulated by root on Linux"

    @functools.cache  # noqa: B019 - one for each file of tests
    def run(self) -> Result:
        if reason := self.unavailable():
            pytest.skip(reason)
        owner = emulated.USER if self.kind in ("user", "ordinary") else None
        with mock.patch.dict(os.environ):
            for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
                # Hundreds of judges would each be measured, for lines that other tests have measured.
                del os.environ[name]
            return run_attacks([*self.attacks.values()], self.level, command=self._command(), owner=owner)

    def _command(self) -> Callable[[list[str]], list[str]]:
        return list if self.kind is None else functools.partial(emulated.command, self.kind)

    def outcome(self, name: str) -> Outcome:
        """Of one attack; where the whole run failed, that is said."""
        result = self.run()
        assert name in result.outcomes, result.wrong
        return result.outcomes[name]


def check_attack(machine: Machine, name: str) -> None:
    """The attack gets the verdict that is expected of it, and is stopped where it is said to be."""
    outcome = machine.outcome(name)
    assert not outcome.wrong, f"{outcome.attack.expected.title}: {'; '.join(outcome.wrong)}"
    if outcome.attack.happens(machine.level):
        # What is never seen to happen proves nothing where it is not seen either.
        assert outcome.seen, f"{outcome.attack.expected.title}: it was expected to happen, and its probe saw nothing"


def check_run(machine: Machine) -> None:
    """Nothing is left behind, nothing planted is printed, and whoever attacks nothing is graded as ever."""
    assert not machine.run().wrong, "\n".join(machine.run().wrong)
