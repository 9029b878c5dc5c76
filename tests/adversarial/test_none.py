"""Level `none`: an ordinary process, for attacks that do no harm where nothing holds them."""

from __future__ import annotations

import pytest

from grader.sandbox.base import Level
from tests.adversarial.levels import BEYOND, BY_LEVEL, Machine, check_attack, check_run

MACHINE = Machine(Level.NONE, abouts=BY_LEVEL)
REST = Machine(Level.NONE, abouts=BEYOND)
pytestmark = pytest.mark.xdist_group("adversarial-none")


@pytest.mark.parametrize("attack", MACHINE.attacks)
def test_the_attack_comes_to_what_is_expected(attack: str) -> None:
    check_attack(MACHINE, attack)


def test_nothing_is_left_and_nobody_else_is_touched() -> None:
    check_run(MACHINE)


@pytest.mark.slow
@pytest.mark.parametrize("attack", REST.attacks)
def test_the_attack_that_hardly_meets_the_sandbox_comes_to_what_is_expected(attack: str) -> None:
    check_attack(REST, attack)


@pytest.mark.slow
def test_nothing_is_left_of_the_rest_either() -> None:
    check_run(REST)
