"""The machinery from end to end, at the level where nothing is stopped: what gets through is seen and named."""

from __future__ import annotations

import pytest

from grader.sandbox.base import Level
from grader.selftest.machine import holds, tell
from grader.selftest.run import run_attacks
from tests.selftest.conftest import EXPECT

READS = '"""Reads the hidden tests."""\nimport numpy as np\nprint(open("{{course}}/assignments/target/hidden/test_target.py").read())\n'
BODY = """
def double(x):
    return 2 * x

def normalise(a):
    return a / a.sum(axis=0, keepdims=True)
"""
HELD = EXPECT.replace("[happens]\n", "")
FORGED = BODY.replace("axis=0", "axis=-1")


def test_what_gets_through_is_seen_whether_it_is_expected_or_not(attack) -> None:
    attacks = [
        attack("known", expect=EXPECT, target_py=READS + BODY),
        attack("unknown", expect=HELD, target_py=READS + BODY),
        attack(
            "gaining", expect=HELD.replace("40", "100").replace("partial", "passed"), target_py=f'"""Told."""{FORGED}'
        ),
        attack("failing", expect=HELD, target_py='"""Told."""\nraise ValueError\n'),
        attack("peaceful", expect=HELD, target_py=f'"""Told."""{BODY}'),
    ]
    result = run_attacks(attacks, Level.NONE)
    wrong = {name: "; ".join(outcome.wrong) for name, outcome in result.outcomes.items()}
    assert wrong["known"] == wrong["peaceful"] == ""
    assert "the hidden tests" in result.outcomes["known"].seen
    assert result.outcomes["peaceful"].seen is None
    assert "the hidden tests" in wrong["unknown"]
    assert wrong["gaining"] == "it earned 100, 40 without the attack"
    assert wrong["failing"].startswith("it is import_error with 0.0 points, expected partial with 40")
    assert not result.wrong
    assert not holds(result)
    lines = [*tell(result)]
    assert lines[0].startswith("no  secrets            1 of 5 were stopped; 1 are not stopped at this level")
    assert sum(line.startswith("no ") for line in lines) == 4
    assert lines[-1].startswith("ok  whole run")


def test_what_does_harm_is_never_run_where_nothing_holds_it(attack) -> None:
    with pytest.raises(ValueError, match="never unheld: reads"):
        run_attacks([attack(expect=EXPECT.replace("harmless = true", "harmless = false"))], Level.NONE)


def test_a_grader_that_cannot_grade_at_all_has_stopped_nothing(attack) -> None:
    result = run_attacks([attack()], Level.NONE, command=lambda argv: [argv[0], "-c", "raise SystemExit('broken')"])
    assert not holds(result)
    assert "broken" in result.wrong[0]
    assert [*tell(result)][-1].startswith("no  whole run")
