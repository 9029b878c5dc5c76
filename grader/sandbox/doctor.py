"""What this machine gives, mechanism by mechanism, and how to get what is missing."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from grader.model.errors import GraderError
from grader.model.manifest import Limits
from grader.sandbox import facts
from grader.sandbox.base import Profile
from grader.sandbox.bpf import ARCHITECTURES
from grader.sandbox.full import FullBackend
from grader.sandbox.probe import namespaces
from grader.sandbox.remedies import remedy


class Finding(NamedTuple):
    """One thing that was looked at.

    Args:
        name: What it is.
        ok: Whether it is as level `full` needs it.
        detail: What was found.
        remedy: What to do about it on this very system; empty where nothing is needed.
    """

    name: str
    ok: bool
    detail: str
    remedy: str


def examine() -> list[Finding]:
    """Look at every mechanism of level `full`, and last at whether they hold together."""
    findings = [_finding(name, look) for name, look in _MECHANISMS.items()]
    if all(finding.ok for finding in findings):
        return [*findings, _together()]
    missing = ", ".join(finding.name for finding in findings if not finding.ok)
    return [*findings, Finding("level full", ok=False, detail=f"not tried, for want of: {missing}", remedy="see above")]


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
    known = Path("/proc/sys/kernel/seccomp/actions_avail")
    detail = known.read_text().strip() if known.exists() else "the kernel has none"
    return "errno" in detail.split(), detail, remedy("seccomp")


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
}


def _together() -> Finding:
    try:
        with FullBackend().open(Profile(("numpy",), Limits())) as sandbox:
            held = [name for name, holds in sandbox.isolation.guarantees.items() if holds]
    except GraderError as error:
        return Finding("level full", ok=False, detail=error.message, remedy=error.hint)
    return Finding("level full", ok=True, detail=f"a canary was held: {', '.join(held)}", remedy="")
