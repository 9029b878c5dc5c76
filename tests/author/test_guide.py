"""The guide is followed to the letter, from an empty folder."""

from __future__ import annotations

import re

from tests.conftest import ROOT

GUIDE = (ROOT / "assignments" / "README.md").read_text("utf-8")
FILES = re.findall(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", GUIDE, flags=re.DOTALL | re.MULTILINE)
CONSOLES = re.findall(r"^```console\n(.*?)^```$", GUIDE, flags=re.DOTALL | re.MULTILINE)
COLUMNS = """
import numpy as np


def rms_norm(X, eps=1e-5):
    if X.ndim != 2 or X.shape[1] == 0:
        raise ValueError
    X = X - X.mean(1, keepdims=True)
    return (X / np.sqrt(np.square(X).mean(1, keepdims=True) + eps)).astype(X.dtype)
"""


def test_the_example_of_the_guide_is_an_assignment_that_holds_and_names_a_mistake(tmp_path, grader):
    follow(CONSOLES[0], tmp_path, grader)
    for place, text in FILES:
        (tmp_path / place).write_text(text, encoding="utf-8")
    follow(CONSOLES[1], tmp_path, grader)
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "rms_norm.py").write_text(COLUMNS, encoding="utf-8")
    ran = grader("grade", tmp_path / "class", "-a", "rms_norm", "--out", tmp_path / "out", "--course", tmp_path)
    assert "rms_norm.rms_norm/mean-taken-away" in ran.stdout + ran.stderr


def follow(console, course, grader):
    """Run the commands of a block, and find all that it says they print."""
    for command, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", console, flags=re.MULTILINE):
        if command.startswith("mv "):
            (course / command.split()[1]).rename(course / command.split()[2])
            continue
        words = command.partition(" | ")[0].split()
        assert words[0] == "grader"
        ran = grader(*words[1:], "--course", course)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        told = (ran.stdout + ran.stderr).splitlines()
        assert [line for line in printed.splitlines() if line not in told] == []
