from __future__ import annotations

import pytest
from click.testing import CliRunner

from grader.cli.doctor import command
from grader.sandbox.base import Level
from grader.sandbox.registry import best
from grader.selftest import machine
from grader.selftest.machine import SelfTest, prepare
from tests.selftest.conftest import EXPECT

BODY = """
def double(x):
    return 2 * x

def normalise(a):
    return a / a.sum(axis=0, keepdims=True)
"""
PEACEFUL = f'"""Does nothing."""\n{BODY}'
WRITING = f'"""Writes outside."""\nopen("{{{{home}}}}/marker", "w").close()\n{BODY}'
HELD = EXPECT.replace("[happens]\n", "")


def test_what_comes_with_the_grader_and_does_no_harm_is_handed_in_at_the_strongest_level() -> None:
    prepared = prepare()
    assert prepared.level == best(Level.NONE).level
    assert len(prepared.attacks) >= 50
    assert all(attack.expected.harmless for attack in prepared.attacks)


@pytest.mark.parametrize(("source", "code", "said"), [(PEACEFUL, 0, "ok  secrets"), (WRITING, 4, "it wrote outside")])
def test_doctor_tells_what_came_of_it_and_ends_accordingly(
    attack, monkeypatch, source: str, code: int, said: str
) -> None:
    attacks = (attack(expect=HELD.replace('probe = "secret"', 'probe = "marker"'), target_py=source),)
    monkeypatch.setattr(machine, "prepare", lambda: SelfTest(attacks, Level.NONE))
    ran = CliRunner().invoke(command, ["--self-test"])
    assert ran.exit_code == code, ran.output
    assert "handing in 1 attacks at level none" in ran.output
    assert said in ran.output
