"""A zygote that does not do what it should is our error, found in time, with its last words."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.model.errors import GraderError, SandboxUnavailableError
from grader.model.manifest import Limits
from grader.sandbox import full, zygote
from grader.sandbox.base import Level, Profile, Sandbox
from grader.sandbox.environment import for_zygote
from grader.sandbox.full import FullBackend

Open = Callable[..., Sandbox]

pytestmark = pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable()))


def test_one_that_never_gets_ready_is_given_up_and_ended(
    opened: Open, copied: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, descendants: Callable[[], set[int]]
) -> None:
    monkeypatch.setattr(zygote, "_START_PATIENCE", 0.5)
    monkeypatch.setattr(zygote, "_CLOSE_PATIENCE", 0.1)
    package = copied()
    (package / "worker" / "main.py").write_text("import time\ntime.sleep(60)\n")
    started = time.monotonic()
    with pytest.raises(GraderError, match="did not answer"):
        opened(Level.FULL, package=package)
    assert time.monotonic() - started < 5
    assert descendants() == set()


def test_one_that_ends_says_why_with_its_last_words(opened: Open, copied: Callable[[], Path]) -> None:
    package = copied()
    (package / "worker" / "launch.py").write_text("raise RuntimeError('broken by the test')\n")
    with pytest.raises(GraderError, match="ended unexpectedly") as caught:
        opened(Level.FULL, package=package)
    assert caught.value.hint == "its last words: RuntimeError: broken by the test"


def test_one_that_ends_silently_leaves_a_hint_all_the_same(opened: Open, copied: Callable[[], Path]) -> None:
    package = copied()
    (package / "worker" / "launch.py").write_text("import os\nos._exit(0)\n")
    with pytest.raises(GraderError, match="ended unexpectedly") as caught:
        opened(Level.FULL, package=package)
    assert "system's log" in caught.value.hint


def test_one_that_does_not_answer_is_ended_and_stays_so(
    opened: Open, copied: Callable[[], Path], monkeypatch: pytest.MonkeyPatch, descendants: Callable[[], set[int]]
) -> None:
    package = copied()
    path = package / "worker" / "zygote.py"
    slow = "\n_prompt = _Zygote._announce\ndef _late(self, number, *rest):\n    import time\n    time.sleep(number)\n    _prompt(self, number, *rest)\n"
    path.write_text(path.read_text() + slow + "_Zygote._announce = _late\n")
    sandbox = opened(Level.FULL, package=package)
    monkeypatch.setattr(zygote, "_FORK_PATIENCE", 0.2)
    with pytest.raises(GraderError, match="did not answer"):
        sandbox.fork()
    with pytest.raises(GraderError, match="ended unexpectedly"):
        sandbox.fork()
    assert descendants() == set()


def test_one_that_was_closed_starts_nothing(opened: Open) -> None:
    sandbox = opened(Level.FULL)
    sandbox.close()
    with pytest.raises(GraderError, match="ended unexpectedly") as caught:
        sandbox.fork()
    assert caught.value.hint == "it was closed before"


def test_a_worker_whose_end_is_not_heard_of_in_time_is_none(opened: Any) -> None:
    sandbox = opened(Level.FULL)
    assert sandbox._zygote.ended(10_000, 0.05) is None


def test_ends_of_other_workers_are_kept_until_asked_for(opened: Open, ask: Any) -> None:
    sandbox = opened(Level.FULL)
    workers = [sandbox.fork() for _ in range(3)]
    for code, worker in enumerate(workers):
        ask.say(worker, f"import os; os._exit({code})")
    assert [worker.wait(5).code for worker in reversed(workers)] == [2, 1, 0]  # type: ignore[union-attr] # each has ended
    ask.say(sandbox.fork(), "import os; os._exit(9)")
    assert ask(sandbox.fork(), "result = 1") == "1"


def test_nothing_of_the_judges_environment_but_where_libraries_are_goes_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/python/lib")
    monkeypatch.setenv("LD_PRELOAD", "/opt/else.so")
    environment = for_zygote()
    assert environment["LD_LIBRARY_PATH"] == "/opt/python/lib"
    assert "LD_PRELOAD" not in environment
    assert "PATH" not in environment


def test_a_machine_that_refuses_is_told_before_anything_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full, "unfit", lambda: "the kernel has no Landlock: use another")
    with pytest.raises(SandboxUnavailableError, match="no Landlock: use another"):
        FullBackend().open(Profile((), Limits()))


@pytest.mark.skipif(sys.platform != "linux", reason="starts a Linux process")
def test_an_interpreter_that_cannot_be_started_leaves_no_descriptor(
    opened: Open, monkeypatch: pytest.MonkeyPatch, descriptors: Callable[[], set[str]]
) -> None:
    before = descriptors()
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(FileNotFoundError):
        opened(Level.FULL)
    assert descriptors() == before
