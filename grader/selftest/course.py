"""The course that is attacked: one file, two exercises, and planted words wherever something is worth reading."""

from __future__ import annotations

import os
from pathlib import Path
from string import Template

from grader.pipeline.key import FILE_NAME
from grader.selftest.tokens import Tokens

ASSIGNMENT = "target"
FILE = "target.py"
POINTS = 100

# Half right, so that there is something to gain.
BASE = """\
import numpy as np


def double(x):
    return 2 * x


def normalise(a):
    return a / a.sum(axis=0, keepdims=True)
"""
_RIGHT = BASE.replace("axis=0", "axis=-1")

_MANIFEST = """\
id = "target"
title = { en = "Target", zh-TW = "標靶" }
files = ["target.py"]
allowed_imports = ["numpy"]
forbidden = ["numpy.linalg.norm"]

[limits]
cpu_seconds = 0.5
wall_seconds = 2
memory_mb = 256
processes = 16
open_files = 64
file_mb = 4
output_kb = 64
reply_mb = 8
calls = 200

[[exercises]]
id = "target.double"
title = { en = "Double", zh-TW = "加倍" }
names = ["double"]
points = 40

[[exercises]]
id = "target.normalise"
title = { en = "Normalise", zh-TW = "正規化" }
names = ["normalise"]
points = 60
"""

_VISIBLE = '''\
"""What a student may see."""

import numpy as np
from grader.testing import assert_close, core, edge, exercise


@exercise("target.double")
@core
def test_double(submission):
    assert_close(submission.double(np.array([1.0, -2.0, 0.5])), np.array([2.0, -4.0, 1.0]))


@exercise("target.double")
@edge
def test_double_of_a_matrix(submission):
    assert_close(submission.double(np.ones((2, 3))), np.full((2, 3), 2.0))


@exercise("target.normalise")
@core
def test_normalise(submission):
    assert_close(submission.normalise(np.array([[1.0, 3.0], [1.0, 1.0]])), np.array([[0.25, 0.75], [0.5, 0.5]]))


@exercise("target.normalise")
@edge
def test_normalise_one_row(submission):
    assert_close(submission.normalise(np.array([[1.0, 1.0]])), np.array([[0.5, 0.5]]))
'''

_HIDDEN = Template('''\
"""What decides the score."""

import numpy as np
from grader.testing import assert_close, core, edge, exercise

PLANTED = "$hidden"
NUMBER = $number


@exercise("target.double")
@core
def test_double_hidden(submission, reference, rng):
    x = NUMBER + np.round(rng.random(5))
    assert_close(submission.double(x), reference.double(x))


@exercise("target.double")
@edge
def test_double_of_a_matrix_hidden(submission, reference, rng):
    x = NUMBER + np.round(rng.random((3, 4)))
    assert_close(submission.double(x), reference.double(x))


@exercise("target.normalise")
@core
def test_normalise_hidden(submission, reference, rng):
    a = NUMBER + np.round(rng.random((3, 4)) * 8)
    a[0, 0] += 9
    assert_close(submission.normalise(a), reference.normalise(a))


@exercise("target.normalise")
@edge
def test_normalise_one_row_hidden(submission, reference, rng):
    a = NUMBER + np.round(rng.random((1, 3)) * 8)
    got = submission.normalise(a)
    assert_close(got, reference.normalise(a))
    assert_close(got, submission.normalise(a), what="the row, normalised twice")
''')

_LOCK = """\
hidden   core  target.double     hidden/test_target.py::test_double_hidden
hidden   edge  target.double     hidden/test_target.py::test_double_of_a_matrix_hidden
hidden   core  target.normalise  hidden/test_target.py::test_normalise_hidden
hidden   edge  target.normalise  hidden/test_target.py::test_normalise_one_row_hidden
visible  core  target.double     visible/test_target.py::test_double
visible  edge  target.double     visible/test_target.py::test_double_of_a_matrix
visible  core  target.normalise  visible/test_target.py::test_normalise
visible  edge  target.normalise  visible/test_target.py::test_normalise_one_row
"""

# A mistake with a name: what a submission answers is also compared after the tests.
_MISCONCEPTIONS = """\
from grader.testing import Explained, misconception, variant


@misconception(
    "target.normalise/columns",
    en=Explained("Your columns sum to 1.", "Each row should.", hint="Look at the axis again."),
    zh_tw=Explained("每個直行的和是 1。", "應該是每個橫列。", hint="再看一次軸。"),
)
def normalise(ref, a):
    return a / a.sum(axis=0, keepdims=True)


@variant("target.normalise/columns")
def normalise_turned(ref, a):
    return (a.T / a.sum(axis=0)[:, None]).T
"""


def right_answer(tokens: Tokens) -> str:
    """Return an honest submission that earns everything and prints a line, with a planted word."""
    return f'{_RIGHT}\n\nPLANTED = "{tokens.neighbour}"\nprint("an honest line")\n'


def write_course(folder: Path, tokens: Tokens) -> None:
    """Write the course; all may read it but the key."""
    home = folder / "assignments" / ASSIGNMENT
    files = {
        home / "assignment.toml": _MANIFEST,
        home / "tests.lock": _LOCK,
        home / "misconceptions.py": _MISCONCEPTIONS,
        home / "visible" / "test_target.py": _VISIBLE,
        home / "hidden" / "test_target.py": _HIDDEN.substitute(hidden=tokens.hidden, number=repr(tokens.number)),
        folder / "reference" / FILE: f'{_RIGHT}\n\nPLANTED = "{tokens.reference}"\n',
        folder / "student_template" / FILE: BASE,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    key = os.open(folder / FILE_NAME, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(key, "w") as file:
        file.write(f"{tokens.key}\n")
