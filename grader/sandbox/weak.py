"""Level `weak`: what is left of level `container` where the kernel or the container has no Landlock, or no seccomp."""

from __future__ import annotations

from pathlib import Path

from grader.model.errors import SandboxUnavailableError
from grader.sandbox import facts
from grader.sandbox.base import GUARANTEES, Level, Profile
from grader.sandbox.container import PACKAGE, plan
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.identity import rights
from grader.sandbox.probe import foreign
from grader.sandbox.reach import reach
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
        if reason := foreign():
            return reason
        missing = _missing()
        if len(missing) > 1:
            return "there is neither Landlock nor seccomp"
        return self._exposed() if "landlock" in missing and rights().maps else None

    def _exposed(self) -> str | None:
        """Return what a worker would need of a closed folder: held open for it, without Landlock it would show all of that folder."""
        for path in map(Path, reach(self._package, ("numpy",)).outermost()):
            if closed := next((folder for folder in path.parents if not folder.stat().st_mode & 0o001), None):
                return f"there is no Landlock, and {path} lies in a folder that is closed to others: chmod o+x {closed}"
        return None

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
