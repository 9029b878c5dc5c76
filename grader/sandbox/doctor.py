"""What this machine gives, mechanism by mechanism, and how to get what is missing."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from grader.model.errors import GraderError
from grader.model.manifest import Limits
from grader.sandbox import facts
from grader.sandbox.base import Isolation, Level, Profile
from grader.sandbox.bpf import ARCHITECTURES
from grader.sandbox.cgroups import group
from grader.sandbox.probe import namespaces
from grader.sandbox.registry import BACKENDS
from grader.sandbox.remedies import remedy


class Finding(NamedTuple):
    """One thing that was looked at.

    Args:
        name: What it is.
        ok: Whether it is as the strongest level needs it, or, of a level, whether this machine gives it.
        detail: What was found.
        remedy: What to do about it on this very system; empty where nothing is needed.
    """

    name: str
    ok: bool
    detail: str
    remedy: str


def examine() -> list[Finding]:
    """Look at every mechanism, then at what each level on the ladder comes to, and last at what that means for a class."""
    levels = [_level(level) for level in _HELD]
    return [*(_finding(name, look) for name, look in _MECHANISMS.items()), *levels, _conclusion(levels)]


def _conclusion(levels: Sequence[Finding]) -> Finding:
    """Say what `grader grade` will do here."""
    given = [level for level, found in zip(_HELD, levels, strict=True) if found.ok]
    if given and given[0].reaches(Level.CONTAINER):
        return Finding("hidden tests", ok=True, detail=f"will be run at level {given[0]}", remedy="")
    best = given[0] if given else Level.NONE
    remedy = "see above; --allow-weak-isolation runs them all the same, and the report says so"
    return Finding("hidden tests", ok=False, detail=f"will be refused: the best level here is {best}", remedy=remedy)


def _finding(name: str, look: Callable[[], tuple[bool, str, str]]) -> Finding:
    ok, detail, help_ = look()
    return Finding(name, ok, detail, "" if ok else help_)


def _system() -> tuple[bool, str, str]:
    detail = f"{platform.system()} {platform.release()}"
    return sys.platform == "linux", detail, "use a Linux machine; on Windows, WSL 2"


def _processor() -> tuple[bool, str, str]:
    known = f"use one of {', '.join(ARCHITECTURES)}: no list of system calls is known for others"
    return platform.machine() in ARCHITECTURES, platform.machine(), known


def _namespaces() -> tuple[bool, str, str]:
    if sys.platform != "linux":
        return False, "there are none", "use a Linux machine"
    told = namespaces()
    who = "root" if facts.is_root() else "an ordinary user"
    detail = (
        f"refused at {told['failed']}: {told['error']}" if told else f"user, mount, PID, network, IPC, UTS, as {who}"
    )
    return not told, detail, remedy(told.get("failed", ""))


def _landlock() -> tuple[bool, str, str]:
    version = facts.landlock_abi()
    return version > 0, f"version {version} of its interface" if version else "the kernel has none", remedy("landlock")


def _seccomp() -> tuple[bool, str, str]:
    there = facts.has_seccomp()
    return there, "system calls can be filtered" if there else "there are no filters", remedy("seccomp")


def _cgroups() -> tuple[bool, str, str]:
    if made := group(Limits()):
        made.release()
        return True, "a worker's memory and threads can be put under a group of their own", ""
    # Nothing to remedy: the limits of the process itself and a watcher do the same, a little later.
    return True, "none can be made; a worker's memory and threads are watched instead", ""


def _pidfd() -> tuple[bool, str, str]:
    if sys.platform != "linux":
        return False, "there are none", "use a Linux machine"
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        return False, str(error), "use a kernel of version 5.4 or later"
    return True, "processes have descriptors", ""


_MECHANISMS: dict[str, Callable[[], tuple[bool, str, str]]] = {
    "system": _system,
    "processor": _processor,
    "namespaces": _namespaces,
    "landlock": _landlock,
    "seccomp": _seccomp,
    "pidfd": _pidfd,
    "cgroups": _cgroups,
}

_HELD = (Level.FULL, Level.CONTAINER, Level.WEAK)


def _level(level: Level) -> Finding:
    backend = BACKENDS[level]
    name = f"level {level}"
    if reason := backend.unavailable():
        why, told, help_ = reason.rpartition(": ")
        return Finding(name, ok=False, detail=why or reason, remedy=help_ if told else "see above")
    try:
        with backend.open(Profile(("numpy",), Limits())) as sandbox:
            return Finding(name, ok=True, detail=_seen(sandbox.isolation), remedy="")
    except GraderError as error:
        return Finding(name, ok=False, detail=error.message, remedy=error.hint)


def _seen(isolation: Isolation) -> str:
    held = [name for name, holds in isolation.guarantees.items() if holds]
    lacking = f"; not held: {'; '.join(isolation.findings)}" if isolation.findings else ""
    return f"a canary was held: {', '.join(held)}{lacking}"
