"""Level `full`: namespaces, Landlock, seccomp and limits, all our own code over the kernel's interfaces."""

from __future__ import annotations

import base64
import os
import platform
import threading
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from grader.model.errors import SandboxUnavailableError
from grader.sandbox import facts, identity, observe
from grader.sandbox.allowance import MIB, allowance
from grader.sandbox.base import Isolation, Level, Profile
from grader.sandbox.bpf import ARCHITECTURES, compiled
from grader.sandbox.environment import INSIDE
from grader.sandbox.forked import ForkedWorker, fork
from grader.sandbox.probe import refusal, unfit
from grader.sandbox.view import planned
from grader.sandbox.zygote import Zygote

PACKAGE = Path(__file__).parents[1]

# The folder a worker may write to holds a few of the largest files it may make.
_FILES_IN_BOX = 4
_INODES_IN_BOX = 4096


class FullBackend:
    """Keeps a zygote in a sandbox and forks each worker from it.

    Args:
        package: The folder of the `grader` package whose worker is carried in.
    """

    level = Level.FULL

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package

    def unavailable(self) -> str | None:
        """Return why this machine cannot have it, with the remedy; None where it can."""
        return refusal()

    def open(self, profile: Profile) -> FullSandbox:
        """Start a zygote, let a canary try everything, and refuse where anything succeeded.

        Raises:
            SandboxUnavailableError: A step was refused, or the canary found a guarantee that does not hold.
            GraderError: A package of the profile is not installed.
        """
        if reason := unfit():  # whether namespaces can be had shows on the way, with the remedy
            raise SandboxUnavailableError(reason)
        sandbox = FullSandbox(profile, Zygote(self._package, _plan(self._package, profile)))
        try:
            sandbox.observe()
        except BaseException:
            sandbox.close()
            raise
        return sandbox


class FullSandbox:
    """A zygote and the workers forked from it.

    Args:
        profile: What a worker holds and may use.
        zygote: What starts the workers; closed with the sandbox.
    """

    isolation: Isolation

    def __init__(self, profile: Profile, zygote: Zygote) -> None:
        self._limits = profile.limits
        self._zygote = zygote
        self._numbers = count()
        self._workers: list[ForkedWorker] = []

    def observe(self) -> None:
        """Let a canary try everything, and set `isolation` to what held.

        Raises:
            SandboxUnavailableError: Something did not hold.
        """
        seen = observe.observed(lambda task: fork(self._zygote, next(self._numbers), self._limits, task), self._limits)
        if seen.findings:
            raise SandboxUnavailableError(
                f"the sandbox does not hold: {'; '.join(seen.findings)}",
                hint="run `grader doctor`, and please report this",
            )
        self.isolation = Isolation(
            Level.FULL, seen.guarantees, seen.findings, platform.release(), landlock_abi=facts.landlock_abi()
        )

    def fork(self) -> ForkedWorker:
        """Start a worker and wait until it is locked down.

        Raises:
            GraderError: It could not be started or not be locked down; no untrusted byte was run.
        """
        worker = fork(self._zygote, next(self._numbers), self._limits)
        self._workers = [other for other in self._workers if not other.killed] + [worker]
        return worker

    def close(self) -> None:
        """Kill every worker and end the zygote."""
        for worker in self._workers:
            worker.kill()
        self._workers = []
        self._zygote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _plan(package: Path, profile: Profile) -> dict[str, Any]:
    """Return all a zygote has to know, as data that JSON can carry."""
    packages = tuple(dict.fromkeys(("numpy", *profile.packages)))  # the wire itself needs NumPy
    plan = planned(package, packages)
    rights = identity.rights()
    main_thread = threading.current_thread() is threading.main_thread()
    return {
        "views": [view._asdict() for view in plan.views],
        "covers": plan.covers,
        "packages": packages,
        "mapped_by_judge": rights.maps,
        "views_first": rights.mounts,
        "user": os.geteuid(),
        "group": os.getegid(),
        "judge": os.getpid() if main_thread else None,
        "allowance": allowance(profile.limits),
        "box_bytes": max(1, _FILES_IN_BOX * profile.limits.file_mb) * MIB,  # tmpfs takes 0 for no limit
        "box_inodes": _INODES_IN_BOX,
        "environment": INSIDE,
        "program": base64.b64encode(compiled(ARCHITECTURES[platform.machine()])).decode(),
    }
