"""A course of one exercise, small enough to bend in a test."""

from __future__ import annotations

from pathlib import Path

TEST = """
import numpy as np
from grader.testing import assert_close, core, exercise

pytestmark = exercise("toy.double")


@core
def test_values(submission):
    assert_close(submission.double(np.arange(3.0)), np.array([0.0, 2.0, 4.0]))
"""


def toy_course(folder: Path, **keys: str) -> Path:
    """Write the course; `keys` are further lines of its manifest, each as TOML."""
    home = folder / "assignments" / "toy"
    for part in ("visible", "hidden"):
        (home / part).mkdir(parents=True)
        (home / part / "test_double.py").write_text(TEST, encoding="utf-8")
    for part, body in (("reference", "return 2 * x"), ("student_template", 'raise NotImplementedError("toy.double")')):
        (folder / part).mkdir()
        (folder / part / "toy.py").write_text(f"def double(x):\n    {body}\n", encoding="utf-8")
    more = "".join(f"{key} = {value}\n" for key, value in keys.items())
    (home / "assignment.toml").write_text(
        'id = "toy"\ntitle = { en = "Toy", zh-TW = "玩具" }\nfiles = ["toy.py"]\n'
        + more
        + '[[exercises]]\nid = "toy.double"\n'
        'title = { en = "Double", zh-TW = "加倍" }\nnames = ["double"]\npoints = 10\n',
        encoding="utf-8",
    )
    (home / "tests.lock").write_text(
        "hidden   core  toy.double  hidden/test_double.py::test_values\nvisible  core  toy.double  visible/test_double.py::test_values\n",
        encoding="utf-8",
    )
    return folder


def hand_in(course: Path, student: str, source: str) -> Path:
    """Put a submission into the course's class and return the class."""
    home = course / "class" / student
    home.mkdir(parents=True)
    (home / "toy.py").write_text(source, encoding="utf-8")
    return course / "class"
