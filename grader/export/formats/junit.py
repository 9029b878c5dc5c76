"""JUnit XML: a suite an exercise, a case a test. The points stand in properties: of the whole, each assignment and each exercise."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from grader.escape.terminal import block, line
from grader.export.base import Options
from grader.export.grade import Grade
from grader.export.text import about, overall, what
from grader.model.report import StudentExercise, StudentTest
from grader.model.verdict import Status, Suite

HELP = "JUnit XML: for whatever shows test results"
SUFFIX = ".junit.xml"
# How a test that did not pass is told; all others are failures.
_KINDS = {Status.GRADER_ERROR: "error", Status.BLOCKED: "skipped"}


def render(grade: Grade, options: Options) -> str:
    """Return the XML. What XML cannot hold is spelled out, as on a terminal."""
    root = ET.Element("testsuites", name="rowwise")
    whole = _suite(root, grade.id, (), grade.score, grade.points)
    ET.SubElement(whole, "system-out").text = "\n".join(map(block, overall(grade, options)))
    for part in grade.parts:
        _suite(root, part.id, (), None if grade.fault else part.score, part.points)
        for exercise in part.exercises:
            _exercise(root, exercise, grade, options)
    ET.indent(root)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{ET.tostring(root, encoding='unicode')}\n"


def _exercise(root: ET.Element, exercise: StudentExercise, grade: Grade, options: Options) -> None:
    score = None if grade.fault else exercise.score
    suite = _suite(root, exercise.id, exercise.tests, score, exercise.points)
    for number, test in enumerate(exercise.tests, 1):
        name = line(test.name) if test.name else f"{test.suite} {test.tier} {number}"
        case = ET.SubElement(suite, "testcase", classname=exercise.id, name=name, time="0")
        if test.status is not Status.PASSED:
            said = what(test, options) if test.suite is Suite.VISIBLE or test.error else ""
            kind = ET.SubElement(case, _KINDS.get(test.status, "failure"), type=test.status, message=line(said))
            kind.text = block(said) or None
    ET.SubElement(suite, "system-out").text = block(
        "\n".join([exercise.title.said_in(options.language), *about(exercise, grade, options)])
    )


def _suite(root: ET.Element, name: str, tests: Sequence[StudentTest], score: float | None, points: float) -> ET.Element:
    kinds = [_KINDS.get(test.status, "failure") for test in tests if test.status is not Status.PASSED]
    counts = {
        f"{kind}s" if kind != "skipped" else kind: str(kinds.count(kind)) for kind in ("failure", "error", "skipped")
    }
    suite = ET.SubElement(root, "testsuite", {"name": line(name), "tests": str(len(tests)), **counts, "time": "0"})
    known = {"points": points} if score is None else {"score": score, "points": points}
    properties = ET.SubElement(suite, "properties")
    for key, value in known.items():
        ET.SubElement(properties, "property", name=key, value=repr(value))
    return suite
