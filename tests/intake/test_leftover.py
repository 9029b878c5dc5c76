"""What in a folder of submissions is none is told; what a system or a tool left there is not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from grader.intake.discover import discover
from grader.intake.leftover import Leftover

WANTED = {"attention.py"}


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    home = tmp_path / "mix"
    (home / "ada").mkdir(parents=True)
    (home / "ada" / "attention.py").touch()
    return home


def told(*paths: Path, mode: str = "auto") -> list[Leftover]:
    found: list[Leftover] = []
    discover(paths, WANTED, mode, leave_out=found.append)
    return found


def test_loose_files_are_told_by_name(mixed: Path) -> None:
    for name in ("bob_attention.py", "carl.py", "dora.ipynb"):
        (mixed / name).touch()
    assert told(mixed) == [Leftover(mixed, ("bob_attention.py", "carl.py", "dora.ipynb"), ())]


def test_what_a_system_or_the_course_left_there_is_passed_over(mixed: Path) -> None:
    for name in (".DS_Store", "._ada", "Thumbs.db", "expected.toml"):
        (mixed / name).touch()
    for name in (".git", ".ipynb_checkpoints", "__pycache__"):
        (mixed / name).mkdir()
    assert told(mixed) == [Leftover(mixed, (), ())]


def test_a_student_s_folder_whose_name_starts_with_a_dot_is_told(mixed: Path) -> None:
    (mixed / ".bob").mkdir()
    (mixed / ".bob" / "attention.py").touch()
    assert told(mixed) == [Leftover(mixed, (), (".bob",))]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
def test_what_is_no_file_is_told_too_and_never_opened(mixed: Path) -> None:
    os.mkfifo(mixed / "pipe")
    assert told(mixed) == [Leftover(mixed, ("pipe",), ())]


def test_a_name_is_told_so_that_it_does_nothing_to_a_terminal(mixed: Path) -> None:
    (mixed / "a\x1b[2Jb.py").touch()
    [found] = told(mixed)
    assert "\x1b" not in found.loose[0]


def test_one_submission_leaves_nothing_out(mixed: Path) -> None:
    (mixed / "ada" / "notes.txt").touch()
    assert told(mixed / "ada") == told(mixed, mode="one") == []
