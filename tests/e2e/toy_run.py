"""A course of one function, and of a run of it: numbers that a student's program wrote, and an answer in words."""

from __future__ import annotations

import hashlib
from pathlib import Path

from grader.verify.run import verify_assignment
from tests.e2e.toy import TEST

MANIFEST = """
id = "toy"
title = {{ en = "Toy", zh-TW = "玩具" }}
files = ["toy.py"]

[[artifacts]]
file = "run/numbers.csv"
max_kb = 4

[[artifacts]]
file = "answers.md"
collect = {{ en = "What did you see?", zh-TW = "你的觀察" }}

[[data]]
file = "corpus.txt"
sha256 = "{digest}"

[[exercises]]
id = "toy.double"
title = {{ en = "Double", zh-TW = "加倍" }}
names = ["double"]
points = 10

[[exercises]]
id = "toy.run"
title = {{ en = "A run", zh-TW = "執行" }}
artifacts = ["run/numbers.csv"]
points = 5
"""
CORPUS = "1 2 3\n"
MISTAKES = """
from grader.testing import Explained, misconception, variant, wrong_run

SAID = Explained("You squared.", "Twice x is x + x.", "Look at 3.")


@misconception("toy.double/square", en=SAID, zh_tw=SAID)
def double(ref, x):
    return x * x


@variant("toy.double/square")
def double_by_power(ref, x):
    return x**2


@wrong_run("toy.run/tripled", says="three times")
def tripled(files):
    return files | {"run/numbers.csv": b"x,y\\n1,3\\n2,6\\n"}
"""
RUN_TEST = """
from grader.testing import core, exercise

pytestmark = exercise("toy.run")


@core
def test_y_is_twice_x(artifacts, submission):
    numbers = artifacts.table("run/numbers.csv", ["x", "y"])
    if all(y == 3 * x for x, y in zip(numbers["x"], numbers["y"])):
        raise AssertionError("y is three times x")
    assert [float(submission.double(x)) for x in numbers["x"]] == numbers["y"], "y is not what your code gives for x"


@core
def test_the_first_number_is_one(artifacts):
    assert 1 / artifacts.table("run/numbers.csv", ["x", "y"])["x"][0] == 1, "x begins with another number"
"""
RIGHT = {"toy.py": "def double(x):\n    return x + x\n", "run/numbers.csv": "x,y\n1,2\n2,4\n", "answers.md": "Twice.\n"}


def run_course(folder: Path) -> Path:
    """Write the course, locked."""
    home = folder / "assignments" / "toy"
    files = {
        home / "assignment.toml": MANIFEST.format(digest=hashlib.sha256(CORPUS.encode()).hexdigest()),
        home / "data" / "corpus.txt": CORPUS,
        home / "misconceptions.py": MISTAKES,
        home / "handout.md": "# Toy\n",
        home / "right_run" / "run" / "numbers.csv": RIGHT["run/numbers.csv"],
        home / "right_run" / "answers.md": RIGHT["answers.md"],
        folder / "reference" / "toy.py": "def double(x):\n    return 2 * x\n",
        folder / "student_template" / "toy.py": 'def double(x):\n    raise NotImplementedError("toy.double")\n',
    }
    for part in ("visible", "hidden"):
        files |= {home / part / "test_double.py": TEST, home / part / "test_run.py": RUN_TEST}
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = verify_assignment(home, seeds=1, write_lock=True)
    assert found.problems == [], found.problems
    return folder


def hand_in(course: Path, student: str, files: dict[str, str]) -> None:
    """Put a submission into the course's class."""
    for name, text in files.items():
        path = course / "class" / student / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
