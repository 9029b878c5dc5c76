from __future__ import annotations

import platform
import sys
from collections.abc import Iterator

import pytest

from grader.sandbox import facts, probe


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What was found out is kept for the life of a process: here each test asks anew."""
    probe.namespaces.cache_clear()
    yield
    probe.namespaces.cache_clear()


def test_another_system_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    assert str(probe.refusal()).startswith("Darwin has no namespaces")


@pytest.mark.skipif(sys.platform != "linux", reason="goes on only on Linux")
class TestOnLinux:
    def test_another_processor_is_refused_by_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(platform, "machine", lambda: "riscv64")
        assert "no list of system calls for riscv64" in str(probe.refusal())

    def test_a_kernel_without_landlock_is_refused_with_the_remedy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(facts, "landlock_abi", lambda: 0)
        monkeypatch.setattr(facts, "kernel_version", lambda: (5, 10))
        assert "the kernel has no Landlock: use a kernel of version 5.13" in str(probe.refusal())

    def test_namespaces_that_are_refused_are_told_with_the_remedy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        told = {"failed": "namespaces", "error": "unshare: Operation not permitted"}
        monkeypatch.setattr(probe, "namespaces", lambda: told)
        monkeypatch.setattr(facts, "setting", {"user.max_user_namespaces": 0}.get)
        expected = "unshare: Operation not permitted: sudo sysctl -w user.max_user_namespaces=15000"
        assert probe.refusal() == expected

    def test_an_interpreter_that_does_not_start_is_told_with_its_last_words(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(probe, "_BOOT", "raise SystemExit('broken by the test')")
        assert "broken by the test" in probe.namespaces()["error"]

    def test_namespaces_are_tried_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        first = probe.namespaces()
        monkeypatch.setattr(probe, "_BOOT", "raise SystemExit('broken by the test')")
        assert probe.namespaces() == first
