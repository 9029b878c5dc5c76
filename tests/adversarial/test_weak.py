"""Level `weak`: root in a container whose kernel has no Landlock."""

from __future__ import annotations

import pytest

from grader.sandbox.base import Level
from tests.adversarial.levels import Machine, check_attack, check_run, happening

MACHINE = Machine(Level.WEAK, "no-landlock", happening(Level.WEAK))
REST = MACHINE.rest()


@pytest.mark.slow
@pytest.mark.parametrize("attack", MACHINE.attacks)
def test_the_attack_comes_to_what_is_expected(attack: str) -> None:
    check_attack(MACHINE, attack)


@pytest.mark.slow
def test_nothing_is_left_and_nobody_else_is_touched() -> None:
    check_run(MACHINE)


@pytest.mark.slow
@pytest.mark.parametrize("attack", REST.attacks)
def test_the_attack_comes_to_what_is_expected_too(attack: str) -> None:
    check_attack(REST, attack)


@pytest.mark.slow
def test_nothing_is_left_of_the_rest_either() -> None:
    check_run(REST)
