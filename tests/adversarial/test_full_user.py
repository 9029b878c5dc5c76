"""Level `full`, as an ordinary user of the machine itself."""

from __future__ import annotations

import pytest

from grader.sandbox.base import Level
from tests.adversarial.levels import Machine, check_attack, check_run

MACHINE = Machine(Level.FULL, "ordinary")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("attack", MACHINE.attacks)
def test_the_attack_comes_to_what_is_expected(attack: str) -> None:
    check_attack(MACHINE, attack)


def test_nothing_is_left_and_nobody_else_is_touched() -> None:
    check_run(MACHINE)
