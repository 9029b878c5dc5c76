"""The ways of holding a worker, strongest first."""

from __future__ import annotations

from grader.model.errors import SandboxUnavailableError
from grader.sandbox.base import Backend, Level
from grader.sandbox.full import FullBackend
from grader.sandbox.none import NoneBackend

BACKENDS: dict[Level, Backend] = {
    Level.FULL: FullBackend(),
    Level.NONE: NoneBackend(),
}


def best(minimum: Level) -> Backend:
    """Return the strongest backend this machine can have.

    Raises:
        SandboxUnavailableError: None reaches `minimum`; the message says why, and what to do about it.
    """
    reasons = []
    for level, backend in BACKENDS.items():
        if not level.reaches(minimum):
            break
        reason = backend.unavailable()
        if reason is None:
            return backend
        reasons.append(f"{level}: {reason}")
    raise SandboxUnavailableError(
        f"this machine gives no sandbox of level {minimum} or above: {'; '.join(reasons)}",
        hint="`grader doctor` shows what it gives, mechanism by mechanism",
    )
