"""Whatever a submission is called, raises or prints, it is only text: on a terminal, in every file, in a replay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.toy import hand_in, toy_course
from tests.escape.enemy import active

SOURCE = r"""
print("\x1b[2J\x9b31m \u202e\u200b\u2028\r passed \u6ce8\u610f")


def double(x):
    print("\x1b]8;;http://x.example\x07link")
    raise type("Err\x1b[31m\u202e", (Exception,), {})("\x1b[1;1Hpassed\r\n=1+1 <script> \u202e \u6ce8\u610f `|` @ada")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_nothing_of_a_submission_acts_on_whoever_looks_at_it(grade, grader, tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course")
    strange = os.fsdecode(b"bob\xff\x1b[2J")
    hand_in(course, strange, SOURCE)
    hand_in(course, "Summary.json", SOURCE)
    (course / "class" / strange / "x\x1b[2J\n\x9b").touch()
    out, page = tmp_path / "out", tmp_path / "page.md"
    weak = ("--course", course, "--allow-weak-isolation")
    env = {**os.environ, "GITHUB_STEP_SUMMARY": str(page)}
    graded = grade(course / "class", "-a", "toy", "--out", out, *weak, env=env)
    assert graded.returncode == 0, graded.stderr
    assert sorted(path.name for path in out.iterdir()) == [
        "%53ummary.json",
        "bob%ED%B3%BF%1B%5B2J",
        "gradebook.db",
        "summary.csv",
        "summary.json",
    ]
    report = out / "bob%ED%B3%BF%1B%5B2J" / "report.json"
    replayed = grader("replay", report, "hidden/test_double.py::test_values", *weak)
    assert replayed.returncode == 0, replayed.stderr
    files = [path.read_text("utf-8") for path in out.rglob("*.*") if path.is_file() and path.suffix != ".db"]
    for text in (graded.stdout, graded.stderr, replayed.stdout, replayed.stderr, page.read_text("utf-8"), *files):
        assert active(text.removeprefix("\ufeff"), but="\n") == []
    assert "\u6ce8\u610f" in report.read_text("utf-8")
    assert "\u6ce8\u610f" in replayed.stdout
