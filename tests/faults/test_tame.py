"""Whenever a run is killed and however many run at once, what is in the end is what an undisturbed run leaves."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.gradebook.book import Book
from tests.conftest import ROOT
from tests.e2e.toy import hand_in, toy_course
from tests.faults.compare import differences, gradebook, reports

SIZE = 14


@pytest.fixture
def course(tmp_path: Path) -> Path:
    made = toy_course(tmp_path / "course")
    for number in range(SIZE):
        hand_in(made, f"s{number:02}", f"def double(x):\n    return {2 + number % 2} * x\n")
    return made


def start(course: Path, out: Path, book: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.faults.tame", *map(str, (course, out, book))]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def ended(run: subprocess.Popen[str]) -> dict[str, str]:
    said, _ = run.communicate(timeout=120)
    assert run.returncode == 0
    return dict(line.split() for line in said.splitlines())


def test_killed_at_any_moment_and_taken_up_again_it_comes_to_the_same(course: Path, tmp_path: Path) -> None:
    draw = random.Random(7)  # noqa: S311 - a game, no secret
    calm, killed, book = tmp_path / "calm", tmp_path / "killed", tmp_path / "killed.db"
    ended(start(course, calm, tmp_path / "calm.db"))
    told: list[str] = []
    for _ in range(3):
        run = start(course, killed, book)
        # Once the first is finished there are some at every stage of their way.
        told.append(run.stdout.readline())
        time.sleep(draw.uniform(0, 0.08))
        run.kill()
        told += run.communicate()[0].splitlines()
    last = ended(start(course, killed, book))
    kept = {name for line in told for name in line.split()[:1]}
    assert kept
    assert all(last[name] == "left" for name in kept)
    assert differences(reports(calm), reports(killed)) == []
    assert gradebook(book) == gradebook(tmp_path / "calm.db")


def test_two_at_once_on_one_gradebook_both_end_and_nothing_is_there_twice(course: Path, tmp_path: Path) -> None:
    calm, book = tmp_path / "calm", tmp_path / "both.db"
    ended(start(course, calm, tmp_path / "calm.db"))
    both = [start(course, tmp_path / name, book) for name in ("one", "two")]
    for run in both:
        assert len(ended(run)) == SIZE
    for name in ("one", "two"):
        assert differences(reports(calm), reports(tmp_path / name)) == []
    assert gradebook(book) == gradebook(tmp_path / "calm.db")
    with Book(book) as opened:
        assert opened.rows("SELECT count(*), count(ended) FROM runs") == [(2, 2)]


@pytest.mark.skipif(sys.platform == "win32", reason="folders are not locked there")
def test_of_two_at_once_into_one_folder_the_second_is_turned_away_and_the_first_is_not_disturbed(
    course, tmp_path
) -> None:
    out = tmp_path / "out"
    first = start(course, out, tmp_path / "one.db")
    first.stdout.readline()
    first.send_signal(signal.SIGSTOP)  # in the middle of its work, for as long as the second takes
    command = [sys.executable, "-m", "tests.faults.tame", *map(str, (course, out, tmp_path / "two.db"))]
    second = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    first.send_signal(signal.SIGCONT)
    assert "another run is writing here" in second.stderr
    assert len(ended(first)) == SIZE - 1
    assert not (tmp_path / "two.db").exists()
    assert len(reports(out)) == 2 * SIZE + 2
