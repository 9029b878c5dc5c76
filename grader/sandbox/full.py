"""Level `full`: namespaces, Landlock, seccomp and limits, all our own code over the kernel's interfaces."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from grader.model.errors import SandboxUnavailableError
from grader.sandbox import identity
from grader.sandbox.base import Level, Profile
from grader.sandbox.forking import ForkingSandbox, common_plan, packages_of
from grader.sandbox.probe import refusal, unfit
from grader.sandbox.view import planned
from grader.sandbox.zygote import Zygote

PACKAGE = Path(__file__).parents[1]

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

    def open(self, profile: Profile) -> ForkingSandbox:
        """Start a zygote, let a canary try everything, and refuse where anything succeeded.

        Raises:
            SandboxUnavailableError: A step was refused, or the canary found a guarantee that does not hold.
            GraderError: A package of the profile is not installed.
        """
        if reason := unfit():  # whether namespaces can be had shows on the way, with the remedy
            raise SandboxUnavailableError(reason)
        zygote = Zygote(self._package, _plan(self._package, profile))
        return ForkingSandbox(Level.FULL, frozenset(), profile, zygote).observe()


def _plan(package: Path, profile: Profile) -> dict[str, Any]:
    plan = planned(package, packages_of(profile))
    rights = identity.rights()
    own_users = rights.maps and identity.unused_ids(0, identity.own_ids()) is not None
    return common_plan(profile, box=True) | {
        "namespaces": True,
        "left_out": [] if own_users else ["identity"],
        "users": identity.workers_ids(0) if own_users else None,
        "views": [view._asdict() for view in plan.views],
        "covers": plan.covers,
        "held": [],
        "mapped_by_judge": rights.maps,
        "views_first": rights.mounts,
        "user": os.geteuid(),
        "group": os.getegid(),
        "box_inodes": _INODES_IN_BOX,
    }
