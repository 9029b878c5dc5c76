"""What the suites are run on, where an assignment has more modules than the one that a student writes for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.judge.record import Request
from grader.judge.sources import sources_of
from grader.testing.catalogue import Catalogue
from grader.verify.subjects import Subject, subjects
from tests.e2e.toy import toy_course

MANIFEST = 'given = ["base.Size"]\n[[materials]]\nfile = "tools.py"\nnames = ["again"]\n'
BASE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Size:
    n: int

def two():
{}
"""
TOOLS = "from base import two\n\nTWO = 2\n\ndef again(x):\n    import toy\n    return toy.double(toy.double(x))\n"
RIGHT = "from base import Size\nfrom tools import TWO\n\ndef double(x):\n    return Size(TWO * x)\n"


@pytest.fixture
def found(tmp_path: Path) -> Callable[[str], Subject]:
    """Everything that a course is run on whose exercise imports from a module of another assignment, by name."""
    course = toy_course(tmp_path / "course")
    home = course / "assignments" / "toy"
    for part in ("right_answers", "materials"):
        (home / part).mkdir()
    text = (home / "assignment.toml").read_text("utf-8").replace('["toy.py"]\n', f'["base.py", "toy.py"]\n{MANIFEST}')
    (home / "assignment.toml").write_text(text, encoding="utf-8")
    (home / "right_answers" / "style.py").write_text(RIGHT, encoding="utf-8")
    (home / "materials" / "tools.py").write_text(TOOLS, encoding="utf-8")
    (course / "reference" / "base.py").write_text(BASE.format("    return 2"), encoding="utf-8")
    (course / "student_template" / "base.py").write_text(
        BASE.format('    raise NotImplementedError("base.two")'), encoding="utf-8"
    )
    assignment = load_assignment(home)
    everything = subjects(assignment, sources_of(assignment), Catalogue())
    return lambda name: next(each for each in everything if each.name == name)


def test_a_right_answer_stands_for_the_module_that_has_exercises(found: Callable[[str], Subject]) -> None:
    right = found("right_answers/style.py").caller
    size = right.call(Request("double", (3,)))
    assert size.raised is None
    assert size.value.n == 6
    assert right.call(Request("two")).value == 2


def test_a_material_meets_the_right_answer_under_the_module_s_name(found: Callable[[str], Subject]) -> None:
    outcome = found("right_answers/style.py").caller.call(Request("again", (3,)))
    assert outcome.raised is not None
    assert (
        "unsupported operand" in outcome.raised.message
    )  # 2 * Size: it was `double` of the right answer that was called
    assert found("reference").caller.call(Request("again", (3,))).value == 12


def test_the_templates_of_all_modules_are_the_bare_one(found: Callable[[str], Subject]) -> None:
    template = found("student_template").caller
    said = [template.call(Request(name, args)).raised for name, args in (("double", (1,)), ("two", ()))]
    assert [each and each.message for each in said] == ["toy.double", "base.two"]
