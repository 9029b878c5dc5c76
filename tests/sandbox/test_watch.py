from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from grader.model.manifest import Limits
from grader.sandbox import holding
from grader.sandbox.base import Broken
from grader.sandbox.watch import Watch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has pidfds and /proc")

LIMITS = Limits(memory_mb=64, processes=9)
MEMORY = "import sys, time; sys.stdin.read(1); kept = bytearray(b'x') * (200 << 20); time.sleep(30)"
THREADS = """
import sys, threading
sys.stdin.read(1)
for _ in range(20): threading.Thread(target=threading.Event().wait).start()
"""
MODEST = "import sys; sys.stdin.read(1); kept = bytearray(b'x') * (8 << 20)"


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    processes: list[subprocess.Popen[bytes]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def _watched(source: str, started: list[subprocess.Popen[bytes]]) -> tuple[int, Broken]:
    process = subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE)
    started.append(process)
    pidfd = os.pidfd_open(process.pid)
    watch = Watch(pidfd, process.pid, LIMITS)
    process.communicate(b"x", timeout=20)
    broken = watch.release()
    os.close(pidfd)
    return process.returncode, broken


def test_a_process_with_more_resident_memory_is_killed_for_it(started: list[subprocess.Popen[bytes]]) -> None:
    assert _watched(MEMORY, started) == (-signal.SIGKILL, Broken(memory=True, processes=False))


def test_a_process_with_more_threads_is_killed_for_them(started: list[subprocess.Popen[bytes]]) -> None:
    assert _watched(THREADS, started) == (-signal.SIGKILL, Broken(memory=False, processes=True))


def test_a_process_within_its_limits_ends_by_itself(started: list[subprocess.Popen[bytes]]) -> None:
    assert _watched(MODEST, started) == (0, Broken(memory=False, processes=False))


def test_where_no_group_can_be_made_or_joined_a_watcher_holds(
    monkeypatch: pytest.MonkeyPatch, started: list[subprocess.Popen[bytes]]
) -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started.append(process)
    pidfd = os.pidfd_open(process.pid)

    class Refusing:
        released = False

        def add(self, pid: int) -> None:
            raise PermissionError(1, "injected by the test")

        def release(self) -> Broken:
            self.released = True
            return Broken(memory=False, processes=False)

    refusing = Refusing()
    for group in (None, refusing):
        monkeypatch.setattr(holding, "group", lambda limits, group=group: group)
        watched = Watched(pidfd, process.pid)
        monkeypatch.setattr(holding, "Watch", watched)
        held = holding.hold(pidfd, process.pid, LIMITS)
        assert held.release() == Broken(memory=False, processes=False)
        assert watched.made == 1
    assert refusing.released
    os.close(pidfd)


class Watched:
    """Counts the watchers that are made."""

    def __init__(self, pidfd: int, pid: int) -> None:
        self.made = 0

    def __call__(self, *arguments: object) -> Watch:
        self.made += 1
        return Watch(*arguments)  # type: ignore[arg-type]


def test_a_worker_that_is_gone_is_not_looked_for_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    process = subprocess.Popen(["true"])
    pidfd = os.pidfd_open(process.pid)
    process.wait()

    class Asked:
        def add(self, pid: int) -> None:
            raise AssertionError("the number may be another's")

        def release(self) -> Broken:
            return Broken(memory=False, processes=False)

    monkeypatch.setattr(holding, "group", lambda limits: Asked())
    assert holding.hold(pidfd, process.pid, LIMITS).release() == Broken(memory=False, processes=False)
    os.close(pidfd)
