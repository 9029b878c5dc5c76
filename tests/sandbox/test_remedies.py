"""Each cause on a real kind of machine leads to the one command that helps there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grader.sandbox import facts
from grader.sandbox.remedies import remedy

Machine = Callable[..., None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    def set_(
        settings: dict[str, int] | None = None,
        container: str | None = None,
        root: bool = False,
        kernel: tuple[int, int] = (6, 8),
    ) -> None:
        replaced: dict[str, Any] = {
            "setting": (settings or {}).get,
            "container": lambda: container,
            "is_root": lambda: root,
            "kernel_version": lambda: kernel,
        }
        for name, value in replaced.items():
            monkeypatch.setattr(facts, name, value)

    return set_


@pytest.mark.parametrize(
    ("setting", "value", "command"),
    [
        (
            "kernel.apparmor_restrict_unprivileged_userns",
            1,
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        ("kernel.unprivileged_userns_clone", 0, "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
        ("user.max_user_namespaces", 0, "sudo sysctl -w user.max_user_namespaces=15000"),
        ("user.max_pid_namespaces", 0, "sudo sysctl -w user.max_pid_namespaces=15000"),
        ("user.max_net_namespaces", 0, "sudo sysctl -w user.max_net_namespaces=15000"),
    ],
)
@pytest.mark.parametrize("step", ["namespaces", "identity", "root", "fork"])
def test_a_setting_that_blocks_is_named_with_its_command(
    step: str, setting: str, value: int, command: str, machine: Machine
) -> None:
    machine({setting: value})
    assert remedy(step).split(", or for this interpreter")[0] == command


def test_settings_that_block_nothing_are_not_named(machine: Machine) -> None:
    machine({"kernel.unprivileged_userns_clone": 1, "user.max_user_namespaces": 96365, _APPARMOR: 0})
    assert "sysctl" not in remedy("namespaces")
    assert "root" in remedy("namespaces")


_APPARMOR = "kernel.apparmor_restrict_unprivileged_userns"


def test_root_is_not_told_of_what_binds_ordinary_users(machine: Machine) -> None:
    machine({_APPARMOR: 1}, root=True)
    assert "sysctl" not in remedy("namespaces")


@pytest.mark.parametrize("engine", ["docker", "podman"])
def test_in_a_container_the_flags_are_named(engine: str, machine: Machine) -> None:
    machine(container=engine, root=True)
    text = remedy("namespaces")
    assert text.startswith(f"start the container with `{engine} run --security-opt seccomp=unconfined")
    assert "--privileged" not in text


def test_on_kubernetes_the_pods_setting_is_named(machine: Machine) -> None:
    machine(container="kubernetes", root=True)
    assert "hostUsers: false" in remedy("namespaces")


def test_a_kernel_too_old_for_landlock_is_told_so(machine: Machine) -> None:
    machine(kernel=(5, 10))
    assert "5.13 or later" in remedy("landlock")


def test_a_kernel_that_leaves_landlock_out_is_told_how_to_boot(machine: Machine) -> None:
    machine()
    assert "lsm=landlock" in remedy("landlock")


def test_a_container_engine_that_refuses_landlock_is_to_be_updated(machine: Machine) -> None:
    machine(container="docker")
    assert "update the container engine" in remedy("landlock")
    assert "seccomp" in remedy("seccomp")


def test_a_kernel_without_seccomp_is_told_so(machine: Machine) -> None:
    machine()
    assert "CONFIG_SECCOMP_FILTER" in remedy("seccomp")
