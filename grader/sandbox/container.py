"""Level `container`: Landlock, seccomp and limits, where namespaces are refused, as they are in most containers.

Nothing is hidden from a worker by mounts, so that Landlock alone says what it may read, and it may write nothing: without a file system of
its own, what it wrote would have no bound. Where root grades, each worker is a user of its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from pathlib import Path
from typing import Any

from grader.model.errors import SandboxUnavailableError
from grader.sandbox import identity
from grader.sandbox.base import Level, Profile
from grader.sandbox.forking import ForkingSandbox, common_plan, packages_of
from grader.sandbox.probe import unfit
from grader.sandbox.reach import reach
from grader.sandbox.zygote import Zygote

PACKAGE = Path(__file__).parents[1]

# With one user for grader and workers, their separation rests on seccomp and Landlock alone.
_MAY_LACK = frozenset({"identity"})


class ContainerBackend:
    """Keeps a zygote beside the judge and forks each worker from it.

    Args:
        package: The folder of the `grader` package whose worker is run.
    """

    level = Level.CONTAINER

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package

    def unavailable(self) -> str | None:
        """Return why this machine cannot have it, with the remedy; None where it can."""
        return unfit()

    def open(self, profile: Profile) -> ForkingSandbox:
        """Start a zygote, let a canary try everything, and refuse where more succeeded than the level admits.

        Raises:
            SandboxUnavailableError: A step was refused, or the canary found a guarantee that does not hold.
            GraderError: A package of the profile is not installed.
        """
        if reason := self.unavailable():
            raise SandboxUnavailableError(reason)
        zygote = Zygote(self._package, plan(self._package, profile))
        return ForkingSandbox(Level.CONTAINER, _MAY_LACK, profile, zygote).observe()


def plan(package: Path, profile: Profile, without: Collection[str] = ()) -> dict[str, Any]:
    """Return all that a zygote without namespaces has to know, as data that JSON can carry.

    Args:
        package: The folder of the `grader` package.
        profile: What a worker holds and may use.
        without: Steps of the lock-down that this machine does not have.
    """
    reached = reach(package, packages_of(profile))
    first = identity.unused_ids(secrets.randbelow(1 << 22), identity.own_ids()) if identity.rights().maps else None
    own_users = [] if first is not None else ["bounding", "identity"]
    return common_plan(profile, box=False) | {
        "namespaces": False,
        "left_out": ["namespaces", "box", *own_users, *without],
        "users": None if first is None else identity.workers_ids(first),
        "views": [],
        "trees": reached.trees,
        "listed": reached.listed,
        "devices": reached.devices,
        "packages_at": reached.packages_at,
        "held": [] if first is None else reached.outermost(),
        "box_inodes": 0,
    }
