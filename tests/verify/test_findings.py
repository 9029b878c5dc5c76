"""An exercise whose tests cannot earn its points as its kind does is told."""

from __future__ import annotations

from types import ModuleType

import pytest

from grader.course.lock import LockedTest
from grader.model.verdict import Suite, Tier
from grader.verify.findings import undefined, untested
from tests.model.toy import exercise, manifest

TOY = manifest(
    exercise("toy.double"),
    exercise("toy.sheet", file="answers.toml") | {"names": ["answer"]},
    files=["toy.py", "answers.toml"],
)


@pytest.mark.parametrize(
    ("double", "sheet", "told"),
    [
        ("core edge", "question question", []),
        ("edge", "question", ["toy.double has no hidden core test"]),
        ("core question", "question", ["toy.double is no worksheet, but a hidden test of it is marked question"]),
        ("core", "question core", ["toy.sheet is a worksheet: each of its hidden tests must be marked question"]),
        ("core", "", ["toy.sheet is a worksheet: each of its hidden tests must be marked question"]),
    ],
)
def test_each_kind_of_exercise_has_tests_of_its_kind(double, sheet, told):
    tests = [
        LockedTest(Suite.HIDDEN, Tier(tier), f"toy.{name}", f"{name}{number}")
        for name, tiers in (("double", double), ("sheet", sheet))
        for number, tier in enumerate(tiers.split())
    ]
    found = list(untested(TOY, [*tests, LockedTest(Suite.VISIBLE, Tier.CORE, "toy.sheet", "visible/a")]))
    assert len(found) == len(told)
    assert all(words in each for words, each in zip(told, found, strict=True))


def test_a_name_that_a_material_does_not_define_is_told():
    tools = ModuleType("tools")
    vars(tools).update(tally=len, LIMIT=3)
    named = manifest(materials=[{"file": "tools.py", "names": ["tally", "LIMIT", "count"]}])
    told = list(undefined(named, [ModuleType("toy"), tools]))
    assert [each.split("`")[1] for each in told] == ["LIMIT", "count"]
    assert all("materials/tools.py defines no function or class" in each for each in told)
