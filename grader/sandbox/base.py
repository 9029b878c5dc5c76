"""What a sandbox is: the words of the contract every backend keeps."""

from __future__ import annotations

import socket as sockets
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Literal, NamedTuple, Protocol, Self

from grader.model.manifest import Limits

GUARANTEES = ("filesystem", "network", "processes", "memory", "cpu", "time", "syscalls", "identity")


class Level(StrEnum):
    """How strongly a worker is held, strongest first."""

    FULL = "full"
    CONTAINER = "container"
    WEAK = "weak"
    NONE = "none"

    def reaches(self, minimum: Level) -> bool:
        """Whether this level is at least as strong as `minimum`."""
        ladder = list(Level)
        return ladder.index(self) <= ladder.index(minimum)


@dataclass(frozen=True)
class Profile:
    """What a sandbox holds and how much a worker may use.

    Args:
        packages: Import names of the packages a submission may use beside the standard library; they are imported once, before any fork.
        limits: What one worker may use.
    """

    packages: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True)
class Isolation:
    """What was seen to hold when a sandbox opened.

    Args:
        level: The level reached.
        guarantees: One entry for each of `GUARANTEES`.
        findings: In words, what is not held and why.
        kernel: The kernel's release.
        landlock_abi: Landlock's version, 0 where there is none.
    """

    level: Level
    guarantees: dict[str, bool]
    findings: tuple[str, ...]
    kernel: str
    landlock_abi: int


@dataclass(frozen=True)
class Death:
    """How a worker ended.

    Args:
        cause: Whether it ended by itself or by a signal.
        code: Its exit code, or the signal's number.
        memory: Whether it died of its limit of memory.
        processes: Whether it was killed for starting more threads than it may.
    """

    cause: Literal["exited", "signalled"]
    code: int
    memory: bool
    processes: bool = False


class Broken(NamedTuple):
    """The limits that a worker was killed for, by whoever watches them."""

    memory: bool
    processes: bool


class Output(NamedTuple):
    """What a worker printed, as bytes, and whether there was more than is kept."""

    text: bytes
    truncated: bool


class Worker(Protocol):
    """One process of untrusted code, ready for its first frame."""

    @property
    def socket(self) -> sockets.socket:
        """The judge's end of the worker's socket; closed by `kill`."""
        ...

    def cpu_seconds(self) -> float:
        """Return the CPU seconds it has used, as the kernel counts them from outside; the final sum once it is dead."""
        ...

    def wait(self, timeout: float) -> Death | None:
        """Return how it ended, or None where it still runs after `timeout` seconds."""
        ...

    def kill(self) -> None:
        """End it with all it started, and give back what it holds here. Always call it; a second call does nothing.

        `wait`, `cpu_seconds` and `output` still answer afterwards.
        """
        ...

    def output(self) -> Output:
        """Return what it printed so far, or everything once it is dead: the first `limits.output_kb` KiB."""
        ...


class Sandbox(Protocol):
    """A place that starts workers; a context manager that closes itself."""

    @property
    def isolation(self) -> Isolation:
        """What was seen to hold."""
        ...

    def fork(self) -> Worker:
        """Start a worker.

        Raises:
            GraderError: It could not be started or not be locked down; no untrusted byte was run.
        """
        ...

    def close(self) -> None:
        """Kill every worker and leave nothing behind. A second call does nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Backend(Protocol):
    """One way of making sandboxes."""

    @property
    def level(self) -> Level:
        """The level a sandbox of this backend must reach; one that does not is refused."""
        ...

    def unavailable(self) -> str | None:
        """Return why this machine cannot have it, with the remedy; None where it can."""
        ...

    def open(self, profile: Profile) -> Sandbox:
        """Open a sandbox.

        Raises:
            SandboxUnavailableError: The level was not reached; the hint is the remedy for this machine.
            GraderError: A package of the profile is not installed.
        """
        ...
