from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from grader.sandbox import facts


@pytest.mark.skipif(sys.platform != "linux", reason="settings are read from /proc/sys")
def test_a_setting_is_read_and_one_that_is_not_there_is_none() -> None:
    assert facts.setting("kernel.pid_max") == int(Path("/proc/sys/kernel/pid_max").read_text())
    assert facts.setting("kernel.no_such_setting") is None
    assert facts.setting("kernel.ostype") is None


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ("6.18.44-fc-v595", (6, 18)),
        ("5.13.0-1021-azure", (5, 13)),
        ("4.18.0-553.el8", (4, 18)),
        ("6", (6, 0)),
        ("7.1+", (7, 1)),
    ],
)
def test_the_kernels_version_is_read_off_its_release(
    release: str, version: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "release", lambda: release)
    assert facts.kernel_version() == version


def test_elsewhere_than_on_linux_there_is_no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert facts.landlock_abi() == 0


def test_a_kernel_that_refuses_landlock_has_version_none(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("asks Linux's kernel")
    from grader.worker import kernel

    def refuse() -> int:
        raise OSError(95, "not supported")

    monkeypatch.setattr(kernel, "landlock_version", refuse)
    assert facts.landlock_abi() == 0


@pytest.mark.parametrize(("there", "kind"), [("/.dockerenv", "docker"), ("/run/.containerenv", "podman"), (None, None)])
def test_a_container_is_known_by_its_mark(there: str | None, kind: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    monkeypatch.setattr(Path, "exists", lambda path: str(path) == there)
    assert facts.container() == kind


def test_a_pod_is_known_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda path: False)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
    assert facts.container() == "kubernetes"
