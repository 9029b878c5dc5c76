"""The ways of holding a worker, strongest first."""

from __future__ import annotations

from grader.model.errors import SandboxUnavailableError, UsageError
from grader.sandbox.base import Backend, Level
from grader.sandbox.container import ContainerBackend
from grader.sandbox.full import FullBackend
from grader.sandbox.none import NoneBackend
from grader.sandbox.weak import WeakBackend

BACKENDS: dict[Level, Backend] = {
    Level.FULL: FullBackend(),
    Level.CONTAINER: ContainerBackend(),
    Level.WEAK: WeakBackend(),
    Level.NONE: NoneBackend(),
}


def best(minimum: Level) -> Backend:
    """Return the strongest backend this machine can have.

    Raises:
        SandboxUnavailableError: None reaches `minimum`; the message says why, and what to do about it.
    """
    reasons: dict[str, list[str]] = {}
    for level, backend in BACKENDS.items():
        if not level.reaches(minimum):
            break
        reason = backend.unavailable()
        if reason is None:
            return backend
        reasons.setdefault(reason, []).append(level)
    told = "; ".join(f"{' and '.join(levels)}: {reason}" for reason, levels in reasons.items())
    raise SandboxUnavailableError(
        f"this machine gives no sandbox of level {minimum} or above, which hidden tests need: {told}",
        hint="`grader doctor` shows what it gives; --allow-weak-isolation takes what there is, and the report says so",
    )


def chosen(level: Level | None, minimum: Level) -> Level:
    """Return the level to hold submissions at: the one that was asked for, else the strongest there is.

    Raises:
        UsageError: What was asked for does not reach `minimum`.
        SandboxUnavailableError: This machine does not give it.
    """
    if level is None:
        return best(minimum).level
    refuse_below(level, minimum)
    if reason := BACKENDS[level].unavailable():
        raise SandboxUnavailableError(
            f"this machine gives no sandbox of level {level}: {reason}", hint="`grader doctor` shows what it gives"
        )
    return level


def refuse_below(level: Level, minimum: Level) -> None:
    """Make sure that a level will do for hidden tests.

    Raises:
        UsageError: It does not reach `minimum`.
    """
    if not level.reaches(minimum):
        raise UsageError(
            f"hidden tests are not run at level {level}: it may let a submission read them",
            hint=f"choose {minimum} or above, or add --allow-weak-isolation",
        )
