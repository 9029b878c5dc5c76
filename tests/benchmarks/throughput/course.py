"""A course of one assignment, whose hidden suite has as many tests as asked for."""

from __future__ import annotations

import json
from pathlib import Path

from tests.benchmarks.throughput.ground import FILE, Ground

_MANIFEST = """\
id = "timing"
title = {{ en = "Timing", zh-TW = "計時" }}
files = ["{file}"]
allowed_imports = {packages}
forbidden = {forbidden}

[[exercises]]
id = "attention.output"
title = {{ en = "Attention", zh-TW = "注意力" }}
names = ["attention"]
points = 10
"""
_HEAD = """
from grader.testing import assert_close, core, exercise

pytestmark = exercise("attention.output")
"""
_TEST = """

@core
def test_{number:03}(submission, reference, rng):
    {inputs}
    assert_close(submission.attention(q, k, v), reference.attention(q, k, v))
"""


def write_course(course: Path, ground: Ground) -> Path:
    """Write the course and return its folder."""
    home, flavour = course / "assignments" / "timing", ground.flavour
    for folder in (home / "visible", home / "hidden", course / "reference", course / "student_template"):
        folder.mkdir(parents=True)
    words = {"packages": json.dumps(flavour.packages), "forbidden": json.dumps(flavour.forbidden)}
    (home / "assignment.toml").write_text(_MANIFEST.format(file=FILE, **words), encoding="utf-8")
    tests = [_TEST.format(number=number, inputs=flavour.inputs) for number in range(ground.tests)]
    (home / "hidden" / "test_attention.py").write_text(flavour.head + _HEAD + "".join(tests), encoding="utf-8")
    names = [f"hidden/test_attention.py::test_{number:03}" for number in range(ground.tests)]
    lock = "".join(f"hidden  core  attention.output  {name}\n" for name in names)
    (home / "tests.lock").write_text(lock, encoding="utf-8")
    (course / "reference" / FILE).write_text(ground.right, encoding="utf-8")
    template = 'def attention(q, k, v):\n    raise NotImplementedError("attention.output")\n'
    (course / "student_template" / FILE).write_text(template, encoding="utf-8")
    return course
