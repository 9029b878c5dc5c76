"""Level `weak`: what is left of level `container` where the kernel or the container has no Landlock, or no seccomp."""

from __future__ import annotations

from pathlib import Path

from grader.model.errors import SandboxUnavailableError
from grader.sandbox import facts
from grader.sandbox.base import GUARANTEES, Level, Profile
from grader.sandbox.container import PACKAGE, plan
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.probe import foreign
from grader.sandbox.zygote import Zygote


class WeakBackend:
    """Keeps a zygote beside the judge, with as much of a lock-down as there is.

    Args:
        package: The folder of the `grader` package whose worker is run.
    """

    level = Level.WEAK

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package

    def unavailable(self) -> str | None:
        """Return why this machine cannot have it; None where it can."""
        return foreign() or ("there is neither Landlock nor seccomp" if len(_missing()) > 1 else None)

    def open(self, profile: Profile) -> ForkingSandbox:
        """Start a zygote, and let a canary find out what holds.

        Raises:
            SandboxUnavailableError: A step that this machine has was refused.
            GraderError: A package of the profile is not installed.
        """
        if reason := self.unavailable():
            raise SandboxUnavailableError(reason)
        zygote = Zygote(self._package, plan(self._package, profile, _missing()))
        return ForkingSandbox(Level.WEAK, frozenset(GUARANTEES), profile, zygote).observe()


def _missing() -> list[str]:
    has = {"landlock": facts.landlock_abi() > 0, "seccomp": facts.has_seccomp()}
    return [step for step, there in has.items() if not there]
