"""^C leaves everything graded so far, and says so with its exit code."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.toy import hand_in, toy_course


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to a process of one's own there")
@pytest.mark.parametrize("signal_", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_run_keeps_what_is_done_and_exits_130(tmp_path: Path, signal_: str) -> None:
    course = toy_course(tmp_path / "course", limits="{ cpu_seconds = 60.0, wall_seconds = 120.0 }")
    hand_in(course, "ann", "def double(x):\n    return x + x\n")
    submissions = hand_in(course, "bob", "def double(x):\n    while True:\n        pass\n")
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "grader",
        "grade",
        str(submissions),
        "-a",
        "toy",
        "--out",
        str(out),
        "-j",
        "1",
        "--seed-key",
        str(tmp_path / "key"),
    ]
    with subprocess.Popen(command, cwd=course, stderr=subprocess.PIPE, text=True) as run:
        wait_for(out / "ann" / "report.json")
        time.sleep(0.5)
        below = descendants(run.pid)
        run.send_signal(getattr(signal, signal_))
        _, said = run.communicate(timeout=30)
    assert run.returncode == 130, said
    assert json.loads((out / "ann" / "report.json").read_text("utf-8"))["score"] == 10
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    assert [row["id"] for row in summary["submissions"]] == ["ann"]
    assert (summary["interrupted"], summary["not_graded"]) == (True, ["bob"])
    assert said.endswith(f"interrupted: 1 of 2 graded, their reports are in {out}; the same command grades the rest\n")
    assert not (out / "bob").exists()
    deadline = time.monotonic() + 10
    while living(below) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not living(below)


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def descendants(pid: int) -> set[int]:
    """The processes below one, where the system tells."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    found = {int(child) for each in lists for child in each.read_text("ascii").split()}
    return found | {below for child in found for below in descendants(child)}


def living(pids: set[int]) -> set[int]:
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}
