from __future__ import annotations

import os
import platform
import sys
from typing import Any

import pytest

from grader.model.errors import SandboxUnavailableError
from grader.sandbox import doctor, facts
from grader.sandbox.base import Profile, Sandbox
from grader.sandbox.full import FullBackend

MECHANISMS = ["system", "processor", "namespaces", "landlock", "seccomp", "pidfd", "cgroups"]
LEVELS = ["level full", "level container", "level weak"]


def _found(name: str) -> doctor.Finding:
    return next(finding for finding in doctor.examine() if finding.name == name)


def test_every_mechanism_is_looked_at_and_the_levels_last() -> None:
    findings = doctor.examine()
    assert [finding.name for finding in findings] == [*MECHANISMS, *LEVELS, "hidden tests"]
    assert all(bool(finding.remedy) != finding.ok for finding in findings)
    assert all(finding.detail for finding in findings)


@pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable()))
def test_a_machine_that_gives_the_level_is_told_what_was_seen_to_hold() -> None:
    found = _found("level full")
    assert found.ok
    assert "filesystem, network" in found.detail


def test_a_refused_mechanism_is_told_with_its_remedy_and_so_are_the_levels_that_need_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(facts, "landlock_abi", lambda: 0)
    monkeypatch.setattr(facts, "kernel_version", lambda: (5, 10))
    assert _found("landlock") == ("landlock", False, "the kernel has none", _found("landlock").remedy)
    assert "5.13" in _found("landlock").remedy
    for level in ("level full", "level container"):
        assert _found(level).detail == "the kernel has no Landlock"
        assert "5.13" in _found(level).remedy


def test_refused_namespaces_are_told_with_the_step_and_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("there are none elsewhere")
    monkeypatch.setattr(doctor, "namespaces", lambda: {"failed": "root", "error": "mount: Permission denied"})
    monkeypatch.setattr(facts, "setting", {"kernel.unprivileged_userns_clone": 0}.get)
    found = _found("namespaces")
    assert found.detail == "refused at root: mount: Permission denied"
    assert found.remedy == "sudo sysctl -w kernel.unprivileged_userns_clone=1"


def test_another_system_is_told_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(platform, "machine", lambda: "sparc64")
    bad = {finding.name: finding.remedy for finding in doctor.examine() if not finding.ok}
    assert {"system", "processor", "namespaces", "landlock", "pidfd"} <= set(bad)
    assert "WSL 2" in bad["system"]


def test_a_kernel_without_seccomp_or_pidfds_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("there are none elsewhere")

    def refuse(pid: int) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    monkeypatch.setattr(facts, "has_seccomp", lambda: False)
    found = {finding.name: finding for finding in doctor.examine()}
    assert not found["pidfd"].ok
    assert not found["seccomp"].ok


def test_a_sandbox_that_does_not_hold_together_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    if FullBackend().unavailable():
        pytest.skip("a mechanism is missing already")

    def refuse(self: Any, profile: Profile) -> Sandbox:
        raise SandboxUnavailableError("the sandbox does not hold: network: reached", hint="report this")

    monkeypatch.setattr(FullBackend, "open", refuse)
    assert _found("level full") == ("level full", False, "the sandbox does not hold: network: reached", "report this")


@pytest.mark.parametrize(
    ("given", "detail"),
    [
        ({"full", "container", "weak"}, "will be run at level full"),
        ({"container", "weak"}, "will be run at level container"),
        ({"weak"}, "will be refused: the best level here is weak"),
        (set(), "will be refused: the best level here is none"),
    ],
)
def test_the_last_word_is_what_becomes_of_hidden_tests(
    given: set[str], detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_level", lambda level: doctor.Finding(level, level in given, "", ""))
    found = doctor.examine()[-1]
    assert (found.name, found.ok, found.detail) == ("hidden tests", "run" in detail, detail)
    assert ("--allow-weak-isolation" in found.remedy) == (not found.ok)
