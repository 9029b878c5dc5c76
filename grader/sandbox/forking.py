"""A sandbox whose workers are forked from a zygote, whatever holds them."""

from __future__ import annotations

import base64
import os
import platform
import threading
from collections.abc import Sequence
from itertools import count
from types import TracebackType
from typing import Any, Self

from grader.model.errors import SandboxUnavailableError
from grader.model.manifest import Limits
from grader.sandbox import facts
from grader.sandbox.base import Isolation, Level, Profile
from grader.sandbox.bpf import ARCHITECTURES, compiled
from grader.sandbox.environment import INSIDE
from grader.sandbox.forked import ForkedWorker, fork
from grader.sandbox.observe import Observation, observed
from grader.sandbox.zygote import Zygote

# What torch else imports at the first backward pass, optimizer step and comparison, and matplotlib at the first figure, where it looks
# through all fonts as well: a second and more, of a submission's time.
_PRELOADED = {
    "torch": ("torch.fx.experimental.symbolic_shapes", "torch._subclasses.fake_tensor", "torch._dynamo"),
    "matplotlib": ("matplotlib.pyplot", "matplotlib.backends.backend_agg"),
}


# A sandbox that is lent numbers its workers from a million on, or two, or three: no two of a zygote's have one number.
_NUMBERS = 1_000_000


class LentSandbox:
    """Workers of a zygote that goes on when this sandbox is closed.

    Args:
        zygote: What starts the workers.
        limits: What they may use.
        first: The number of the first of them.
    """

    isolation: Isolation

    def __init__(self, zygote: Zygote, limits: Limits, first: int = 0) -> None:
        self._zygote = zygote
        self._limits = limits
        self._numbers = count(first)
        self._workers: list[ForkedWorker] = []

    def fork(self) -> ForkedWorker:
        """Start a worker and wait until it is locked down.

        Raises:
            GraderError: It could not be started or not be locked down; no untrusted byte was run.
        """
        worker = self._fork()
        self._workers = [other for other in self._workers if not other.killed] + [worker]
        return worker

    def _fork(self, canary: dict[str, Any] | None = None) -> ForkedWorker:
        return fork(self._zygote, next(self._numbers), self._limits, canary)

    def close(self) -> None:
        """Kill every worker."""
        for worker in self._workers:
            worker.kill()
        self._workers = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class ForkingSandbox(LentSandbox):
    """A zygote and the workers forked from it.

    Args:
        level: The level it is meant to reach.
        may_lack: The guarantees that the level does without.
        profile: What a worker holds and may use.
        zygote: What starts the workers; closed with the sandbox.
    """

    def __init__(self, level: Level, may_lack: frozenset[str], profile: Profile, zygote: Zygote) -> None:
        super().__init__(zygote, profile.limits)
        self._level = level
        self._may_lack = may_lack

    def observe(self) -> Self:
        """Let a canary try everything, and set `isolation` to what held.

        Raises:
            SandboxUnavailableError: Something did not hold that the level stands for.
        """
        try:
            seen = observed(self._fork, self._limits)
            self._refuse([name for name, holds in seen.guarantees.items() if not holds], seen)
        except BaseException:
            self.close()
            raise
        self.isolation = Isolation(
            self._level, seen.guarantees, seen.findings, platform.release(), landlock_abi=facts.landlock_abi()
        )
        return self

    def _refuse(self, lacking: Sequence[str], seen: Observation) -> None:
        if broken := [name for name in lacking if name not in self._may_lack]:
            raise SandboxUnavailableError(
                f"the sandbox does not hold: {'; '.join(seen.about(broken))}",
                hint="run `grader doctor`, and please report this",
            )

    def lent(self, limits: Limits, turn: int) -> LentSandbox:
        """Return the same sandbox for one submission: workers have its limits, and are gone when it is closed.

        Args:
            limits: What they may use.
            turn: How often it was lent before: each number once, in whatever copy of this process.
        """
        lent = LentSandbox(self._zygote, limits, (turn + 1) * _NUMBERS)
        lent.isolation = self.isolation
        return lent

    def close(self) -> None:
        """Kill every worker and end the zygote."""
        super().close()
        self._zygote.close()


def common_plan(profile: Profile, *, box: bool) -> dict[str, Any]:
    """Return what every zygote has to know, as data that JSON can carry.

    Args:
        profile: What a worker holds and may use.
        box: Whether workers have a folder of their own to write to.
    """
    packages = packages_of(profile)
    main_thread = threading.current_thread() is threading.main_thread()
    return {
        "packages": packages,
        "preloaded": [name for package in packages for name in _PRELOADED.get(package, ())],
        "judge": os.getpid() if main_thread else None,
        "environment": INSIDE,
        "program": base64.b64encode(compiled(ARCHITECTURES[platform.machine()], box=box)).decode(),
    }


def packages_of(profile: Profile) -> tuple[str, ...]:
    """Return the packages that a zygote imports: those of the profile, and NumPy, which the wire itself needs."""
    return tuple(dict.fromkeys(("numpy", *profile.packages)))
