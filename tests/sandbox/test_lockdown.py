"""A lock-down that fails at any step, loudly or not, ends as our error and before any submission."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.model.errors import SandboxUnavailableError
from grader.sandbox.base import Level, Sandbox
from grader.sandbox.full import FullBackend

pytestmark = pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable()))

_SOURCE = (Path(__file__).parents[2] / "grader" / "worker" / "lockdown.py").read_text()
INHERITED = ["environment", "bounding"]
STEPS = [
    line.split('"')[1] for line in _SOURCE.partition("STEPS: dict")[2].partition("}")[0].splitlines() if '"' in line
]
# An ordinary user has one id to give, so that its workers stay who they are.
if os.geteuid():
    STEPS.remove("identity")

_FAILING = """
def _injected(plan, original=STEPS[{step!r}]):
    if FORKS > {after}:
        raise OSError(1, "injected by the test")
    original(plan)

FORKS = 0
STEPS[{step!r}] = _injected
"""

# The zygote counts, so that a step can fail for the first submission's worker and not for the canary.
_COUNTING = """
_uncounted = _Zygote._fork_worker

def _counted(self, packet, report):
    lockdown.FORKS += 1
    return _uncounted(self, packet, report)

_Zygote._fork_worker = _counted
"""


def _append(package: Path, module: str, source: str) -> None:
    path = package / "worker" / f"{module}.py"
    path.write_text(path.read_text() + source)


def test_all_steps_are_known_here() -> None:
    assert STEPS[0] == "session"
    assert STEPS[-1] == "seccomp"
    assert len(STEPS) >= 12


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_at_the_start_refuses_the_sandbox(
    step: str, opened: Callable[..., Sandbox], copied: Callable[[], Path], descendants: Callable[[], set[int]]
) -> None:
    package = copied()
    _append(package, "lockdown", _FAILING.format(step=step, after=-1))
    with pytest.raises(SandboxUnavailableError, match=f"at {step}: PermissionError: .*injected by the test") as caught:
        opened(Level.FULL, package=package)
    assert caught.value.hint
    assert caught.value.exit_code == 4
    assert descendants() == set()


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_later_refuses_that_worker_before_it_serves(
    step: str, opened: Callable[..., Sandbox], copied: Callable[[], Path], descendants: Callable[[], set[int]]
) -> None:
    package = copied()
    _append(package, "lockdown", _FAILING.format(step=step, after=1))
    _append(package, "zygote", _COUNTING)
    (package / "worker" / "main.py").write_text(
        "def serve(sock):\n    raise SystemExit('untrusted code would run here')\n"
    )
    sandbox = opened(Level.FULL, package=package)
    before = descendants()
    with pytest.raises(SandboxUnavailableError, match=f"a worker could not be locked down, at {step}: .*injected"):
        sandbox.fork()
    assert descendants() == before


# The others cannot be told by a worker from within; and root's change of user makes the sandbox undumpable before the step does.
_SEEN = ["session", "privileges", "box", "rlimits", "landlock", "capabilities", "seccomp"]


@pytest.mark.parametrize("step", [*_SEEN, *(["dumpable"] if os.geteuid() else [])])
def test_a_step_that_silently_does_nothing_is_found_by_the_canary(
    step: str, opened: Callable[..., Sandbox], copied: Callable[[], Path]
) -> None:
    package = copied()
    _append(package, "lockdown", f"\nSTEPS[{step!r}] = lambda plan: None\n")
    with pytest.raises(SandboxUnavailableError):
        opened(Level.FULL, package=package)


@pytest.mark.parametrize("step", INHERITED)
def test_what_workers_inherit_is_given_up_or_the_sandbox_refused(
    step: str, opened: Callable[..., Sandbox], copied: Callable[[], Path], descendants: Callable[[], set[int]]
) -> None:
    package = copied()
    failing = f"\ndef _injected(environment):\n    raise OSError(1, 'injected by the test')\n\nINHERITED[{step!r}] = _injected\n"
    _append(package, "lockdown", failing)
    with pytest.raises(SandboxUnavailableError, match=f"at {step}: PermissionError: .*injected by the test"):
        opened(Level.FULL, package=package)
    assert descendants() == set()


def test_capabilities_that_could_be_had_again_are_found_by_the_canary(opened: Any, copied: Callable[[], Path]) -> None:
    package = copied()
    _append(package, "lockdown", "\nINHERITED['bounding'] = lambda environment: None\n")
    with pytest.raises(SandboxUnavailableError, match="could be had again"):
        opened(Level.FULL, package=package)


def test_a_worker_that_dies_during_the_lockdown_is_our_error(
    opened: Callable[..., Sandbox], copied: Callable[[], Path]
) -> None:
    package = copied()
    _append(package, "lockdown", "\nSTEPS['rlimits'] = lambda plan: os._exit(5)\n")
    with pytest.raises(SandboxUnavailableError, match="ended without a word"):
        opened(Level.FULL, package=package)


@pytest.mark.parametrize(
    ("call", "step"),
    [
        ("kernel.unshare = _refuse", "namespaces"),
        ("mounts.copy_views = _refuse", "views"),
        ("_Way._take_identity = _refuse", "identity"),
        ("_die_with = _refuse", "judge"),
        ("_stay_outside = _refuse", "zygote"),
        ("mounts.move_in = _refuse", "root"),
        ("_serve_from_inside = _refuse", "packages"),
    ],
)
def test_each_step_of_the_way_in_that_fails_refuses_the_sandbox(
    call: str,
    step: str,
    opened: Callable[..., Sandbox],
    copied: Callable[[], Path],
    descendants: Callable[[], set[int]],
) -> None:
    package = copied()
    refuse = "\ndef _refuse(*arguments):\n    raise PermissionError(1, 'injected by the test')\n"
    _append(package, "launch", f"{refuse}\n{call}\n")
    with pytest.raises(SandboxUnavailableError, match=f"at {step}: PermissionError: .*injected") as caught:
        opened(Level.FULL, package=package)
    assert caught.value.hint
    assert descendants() == set()


def test_the_canary_is_believed_only_where_it_answers(opened: Any, copied: Callable[[], Path]) -> None:
    package = copied()
    _append(package, "canary", "\nPROBES = {'fork': lambda task: ''}\n")
    with pytest.raises(SandboxUnavailableError, match="planted file: no answer"):
        opened(Level.FULL, package=package)


def test_a_canary_that_dies_refuses_the_sandbox(opened: Any, copied: Callable[[], Path]) -> None:
    package = copied()
    _append(package, "canary", "\ndef serve(connection, task):\n    raise SystemExit(1)\n")
    with pytest.raises(SandboxUnavailableError, match="no answer"):
        opened(Level.FULL, package=package)


def test_a_fork_that_the_kernel_refuses_is_our_error(opened: Any, copied: Callable[[], Path]) -> None:
    package = copied()
    _append(
        package,
        "zygote",
        "\nimport errno\ndef _full():\n    raise OSError(errno.EAGAIN, 'no more processes')\nos.fork = _full\n",
    )
    with pytest.raises(SandboxUnavailableError, match=r"at fork: .*no more processes"):
        opened(Level.FULL, package=package)
