"""Level `weak` takes what lock-down a machine has, and says plainly what is missing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.model.errors import SandboxUnavailableError
from grader.model.manifest import Limits
from grader.sandbox import facts, weak
from grader.sandbox.base import Level, Profile, Sandbox
from grader.sandbox.identity import rights
from grader.sandbox.weak import WeakBackend

Open = Callable[..., Sandbox]

pytestmark = pytest.mark.skipif(WeakBackend().unavailable() is not None, reason=str(WeakBackend().unavailable()))


@pytest.fixture(scope="module")
def sandbox(opened_for_all: Open) -> Sandbox:
    return opened_for_all(Level.WEAK)


def test_what_is_missing_shows_in_the_guarantees_and_in_words(sandbox: Sandbox) -> None:
    held = sandbox.isolation.guarantees
    assert held["filesystem"] == (facts.landlock_abi() > 0)
    assert held["syscalls"] == held["network"] == facts.has_seccomp()
    lacking = {name for name, holds in held.items() if not holds}
    assert {finding.partition(":")[0] for finding in sandbox.isolation.findings} == lacking


def test_a_file_that_all_may_read_is_read_only_where_landlock_is_missing(
    sandbox: Sandbox, ask: Any, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the answer")
    secret.chmod(0o644)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == tmp_path.owner():
            folder.chmod(folder.stat().st_mode | 0o005)
    answer = ask(sandbox.fork(), f"result = open({str(secret)!r}).read()")
    assert answer.startswith("PermissionError") == (facts.landlock_abi() > 0)


def test_a_machine_with_neither_has_not_even_this_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "landlock_abi", lambda: 0)
    monkeypatch.setattr(facts, "has_seccomp", lambda: False)
    assert WeakBackend().unavailable() == "there is neither Landlock nor seccomp"
    with pytest.raises(SandboxUnavailableError, match="neither"):
        WeakBackend().open(Profile((), Limits()))


def test_another_system_has_not_even_this_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert weak.foreign()
    assert WeakBackend().unavailable() == weak.foreign()


def test_without_landlock_an_interpreter_in_a_closed_folder_is_refused_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not rights().maps:
        pytest.skip("only root's workers are other users")
    closed = tmp_path / "closed"
    for name in ("wire", "worker"):
        (closed / "grader" / name).mkdir(parents=True)
    (closed / "grader" / "__init__.py").touch()
    closed.chmod(0o700)
    monkeypatch.setattr(facts, "landlock_abi", lambda: 0)
    monkeypatch.setattr(facts, "has_seccomp", lambda: True)
    assert str(WeakBackend(closed / "grader").unavailable()).partition(": chmod o+x ")[2]
