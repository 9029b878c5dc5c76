"""What level `none` does beyond what every level does, and says plainly that it does not."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from socket import socketpair
from typing import Any

import pytest

from grader.model.errors import GraderError
from grader.model.manifest import Limits
from grader.sandbox import none
from grader.sandbox.base import Level, Profile, Sandbox

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="what is left behind is found by POSIX process ids")

Open = Callable[..., Sandbox]


def _lives(pid: int) -> bool:
    with contextlib.suppress(OSError):
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def _soon(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 2
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


START_A_CHILD = (
    "import subprocess, sys; result = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid"
)


def test_a_kill_reaches_what_the_worker_started(opened: Open, ask: Any) -> None:
    worker = opened(Level.NONE).fork()
    child = int(ask(worker, START_A_CHILD))
    assert _lives(child)
    worker.kill()
    assert _soon(lambda: not _lives(child))


def test_what_a_worker_that_ended_by_itself_left_behind_is_killed(opened: Open, ask: Any) -> None:
    worker = opened(Level.NONE).fork()
    child = int(ask(worker, START_A_CHILD))
    ask.say(worker, "import os; os._exit(0)")
    assert worker.wait(5)
    assert _soon(lambda: not _lives(child))


def test_output_does_not_wait_for_ever_for_one_who_left_and_holds_the_pipe(opened: Open, ask: Any) -> None:
    worker = opened(Level.NONE).fork()
    source = (
        START_A_CHILD.replace(".pid", "").replace("60)'])", "60)'], start_new_session=True).pid") + "; print('here')"
    )
    child = int(ask(worker, source))
    worker.kill()
    started = time.monotonic()
    assert worker.output() == (b"here\n", False)
    assert time.monotonic() - started < 3
    os.kill(child, 9)


def test_the_environment_is_inherited_save_what_changes_the_interpreter(
    opened: Open, ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COURSE_TERM", "spring")
    monkeypatch.setenv("PYTHONOPTIMIZE", "2")
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    source = "import os; result = [os.environ.get(n) for n in ('COURSE_TERM', 'PYTHONOPTIMIZE', 'OMP_NUM_THREADS')]"
    assert ask(opened(Level.NONE).fork(), source) == "['spring', None, '1']"


def test_it_works_in_an_empty_folder_of_its_own(opened: Open, ask: Any) -> None:
    sandbox = opened(Level.NONE)
    source = "import os; open('left', 'w').close(); result = os.getcwd(), os.listdir('.')"
    first, second = eval(ask(sandbox.fork(), source)), eval(ask(sandbox.fork(), source))  # noqa: S307 - our stand-in's
    assert first[0] != second[0] != str(Path.cwd())
    assert first[1] == second[1] == ["left"]


def test_what_is_not_held_is_said(opened: Open) -> None:
    isolation = opened(Level.NONE).isolation
    assert isolation.level is Level.NONE
    held = {name for name, holds in isolation.guarantees.items() if holds}
    assert held == ({"time", "cpu", "memory"} if sys.platform == "linux" else {"time", "cpu"})
    assert any("read and write your files" in finding for finding in isolation.findings)


def test_a_system_that_holds_no_limit_of_memory_is_said_to(monkeypatch: pytest.MonkeyPatch, opened: Open) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    isolation = opened(Level.NONE).isolation
    assert not isolation.guarantees["memory"]
    assert "Darwin holds no limit of memory" in isolation.findings


def test_a_worker_that_cannot_start_is_our_error_with_its_last_words(opened: Open, copied: Callable[[], Path]) -> None:
    package = copied()
    (package / "worker" / "main.py").write_text("raise ValueError('broken by the test')\n")
    with pytest.raises(GraderError, match="could not be started: ValueError: broken by the test"):
        opened(Level.NONE, package=package).fork()


def test_a_worker_that_ends_without_a_word_is_our_error(opened: Open, copied: Callable[[], Path]) -> None:
    package = copied()
    (package / "worker" / "main.py").write_text("import os\nos._exit(0)\n")
    with pytest.raises(GraderError, match="it said nothing"):
        opened(Level.NONE, package=package).fork()


def test_a_worker_that_does_not_get_ready_is_our_error(
    opened: Open, copied: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, descendants: Callable[[], set[int]]
) -> None:
    monkeypatch.setattr(none, "_PATIENCE", 0.3)
    package = copied()
    (package / "worker" / "main.py").write_text("import time\ntime.sleep(60)\n")
    before = descendants()
    with pytest.raises(GraderError, match="could not be started"):
        opened(Level.NONE, package=package).fork()
    assert descendants() == before


def test_a_package_that_is_not_there_is_our_error(opened: Open) -> None:
    sandbox = opened(Level.NONE, Profile(("no_such_package",), Limits()))
    with pytest.raises(GraderError, match="No module named 'no_such_package'"):
        sandbox.fork()


def test_an_interpreter_that_cannot_be_started_leaves_no_descriptor(
    opened: Open, monkeypatch: pytest.MonkeyPatch, descriptors: Callable[[], set[str]]
) -> None:
    sandbox = opened(Level.NONE)
    before = descriptors()
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(FileNotFoundError):
        sandbox.fork()
    assert descriptors() == before


def test_a_worker_that_is_started_ahead_imports_what_is_needed_later_and_no_other_does(monkeypatch):
    monkeypatch.setattr(none, "_LATER", {"numpy": ("numpy.polynomial", "no_such_module")})
    with none.NoneBackend().open(Profile(("numpy",), Limits())) as sandbox:
        worker = sandbox.begin(ahead=True)
        sandbox.await_standing(worker)  # a module that is not there is no reason to fall
        ours, theirs = socketpair()
        with ours, theirs:
            tasks = [json.loads(sandbox._command(theirs, ahead=ahead)[-1]) for ahead in (True, False)]
    assert [task["later"] for task in tasks] == [["numpy.polynomial", "no_such_module"], []]
