from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grader.model.manifest import Limits
from grader.sandbox import cgroups
from grader.sandbox.base import Broken

LIMITS = Limits(memory_mb=64, processes=9)


@pytest.fixture
def made() -> cgroups.Group:
    group = cgroups.group(LIMITS)
    if group is None:
        pytest.skip("this machine lets us make no control group")
    return group


def test_a_process_over_the_groups_memory_is_killed_and_that_is_told(made: cgroups.Group) -> None:
    source = "import sys; sys.stdin.read(1); bytearray(b'x') * (200 << 20)"
    with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE) as process:
        made.add(process.pid)
        process.communicate(b"x")
    assert process.returncode == -signal.SIGKILL
    assert made.release() == Broken(memory=True, processes=False)


def test_a_group_that_held_to_its_limits_broke_nothing_and_is_gone(made: cgroups.Group) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        made.add(process.pid)
        process.communicate(b"\n")
    assert made.release() == Broken(memory=False, processes=False)
    assert not any(folder.exists() for folder in made.folders.values())


def test_more_threads_than_the_groups_are_refused(made: cgroups.Group) -> None:
    source = """
import sys, threading
sys.stdin.read(1)
done, count = threading.Event(), 0
try:
    for _ in range(100):
        threading.Thread(target=done.wait).start(); count += 1
except RuntimeError:
    print(count)
done.set()
"""
    with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        made.add(process.pid)
        out, _ = process.communicate(b"x")
    assert int(out) == LIMITS.processes - 1
    made.release()


def _version_two(root: Path, *, given: bool) -> None:
    (root / "slice" / "own").mkdir(parents=True)
    for folder in (root / "slice", root / "slice" / "own"):
        (folder / "cgroup.procs").touch()
    if given:
        (root / "slice" / "rowwise").mkdir()


def test_in_the_second_version_the_group_above_is_looked_at_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _version_two(tmp_path, given=False)
    monkeypatch.setattr(cgroups, "_ROOT", tmp_path)
    monkeypatch.setattr(Path, "read_text", lambda path: "0::/slice/own\n")
    assert list(cgroups._candidates("memory")) == [tmp_path / "slice/own", tmp_path / "slice"]


def test_where_no_group_gives_limits_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _version_two(tmp_path, given=False)
    monkeypatch.setattr(cgroups, "_candidates", lambda kind: iter([tmp_path / "slice/own", tmp_path / "slice"]))
    assert cgroups._homes.__wrapped__() is None
    monkeypatch.setattr(cgroups, "_homes", lambda: None)
    assert cgroups.group(LIMITS) is None


def test_a_limit_that_cannot_be_set_leaves_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(made: cgroups.Group, limits: Limits) -> None:
        raise PermissionError(1, "injected by the test")

    monkeypatch.setattr(cgroups, "_homes", lambda: {"memory": tmp_path, "pids": tmp_path})
    monkeypatch.setattr(cgroups, "_set", refuse)
    assert cgroups.group(LIMITS) is None
    assert list(tmp_path.iterdir()) == []


def test_the_groups_of_a_judge_that_was_killed_are_removed_and_those_of_others_stay(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    for pid in (gone.pid, os.getpid()):
        (tmp_path / f"rowwise-{pid}-abcd").mkdir()
    cgroups._sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"rowwise-{os.getpid()}-abcd"]


def test_what_the_kernel_says_is_read_in_both_versions(tmp_path: Path) -> None:
    (tmp_path / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    assert cgroups._count(tmp_path, ("memory.events", "memory.oom_control"), "oom_kill") == 2
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\n")
    assert cgroups._count(tmp_path, ("memory.events", "memory.oom_control"), "oom_kill") == 1
    assert cgroups._count(tmp_path, ("absent",), "oom_kill") == 0
