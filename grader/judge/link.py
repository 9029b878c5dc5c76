"""One living worker, as the judge holds it: questions with a deadline, and what its death means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from grader.judge.budget import CallBudget
from grader.judge.clock import Clock, OutOfTimeError
from grader.model.manifest import Limits
from grader.model.verdict import Status
from grader.sandbox.allowance import allowance
from grader.sandbox.base import Death, Output, Worker
from grader.testing.student import Cause, StudentError
from grader.wire.channel import Channel
from grader.wire.errors import ChannelClosed, WireError
from grader.wire.exchange import Lending, exchange
from grader.wire.frames import Caps
from grader.wire.messages import Answer, Request

_SIGKILL, _SIGXCPU, _SIGXFSZ = 9, 24, 25
# How long a process may take from closing its socket to being gone; one that lives on is killed.
_REAP_SECONDS = 1.0
_CLOCK_SECONDS = 1.0  # by which the kernel's own count may be ahead of what it tells
_MIB = 1024 * 1024


class KilledError(StudentError):
    """The worker died of a SIGKILL that neither we nor its memory limit sent: perhaps the machine did."""


class Link:
    """A worker and the channel to it. After any fault it is of no further use."""

    def __init__(self, worker: Worker, limits: Limits) -> None:
        self._worker = worker
        self._limits = limits
        self._fault: StudentError | None = None
        self._lending = Lending()
        caps = Caps(payload_bytes=limits.reply_mb * _MIB)
        self._channel = Channel(worker.socket, caps, reduce=self._lending.reduce, revive=self._lending.revive)

    def ask(self, request: Request, name: str, reference_seconds: Callable[[], float], budget: CallBudget) -> Answer:
        """Return the answer to a request.

        Args:
            request: The request.
            name: What to call it in a message.
            reference_seconds: How long the reference takes for it; asked only when the answer is slow to come.
            budget: Counts the calls that come back meanwhile.

        Raises:
            StudentError: The worker hung, died, sent something that is no answer, or called back too often.
        """
        clock = Clock(self._worker, self._limits, reference_seconds, name)
        try:
            return exchange(
                self._channel, request, self._lending, clock.tick, watch=partial(_called_back, clock, budget)
            )
        except (StudentError, WireError) as error:
            # A request made by a function that was called back ends with its own fault, and so do those it was made within.
            self._fault = self._fault or self._meant(error, name)
            raise self._fault from None

    def _meant(self, error: StudentError | WireError, name: str) -> StudentError:
        if isinstance(error, StudentError):
            return error
        if isinstance(error, ChannelClosed):
            return self._buried(name)
        return StudentError(
            Status.CRASHED, Cause(message=f"{name}: its process sent something that is no answer ({error})")
        )

    def close(self) -> Output:
        """Kill the worker and return what it printed."""
        self._worker.kill()
        self._worker.wait(_REAP_SECONDS)
        return self._worker.output()

    def _buried(self, name: str) -> StudentError:
        """What to raise for a worker that closed its end of the socket."""
        death = self._worker.wait(_REAP_SECONDS)
        if death is None:
            return StudentError(
                Status.CRASHED, Cause(message=f"{name}: its process closed the connection to the grader")
            )
        return _died(name, death, self._limits, self._worker.cpu_seconds())


@contextmanager
def _called_back(clock: Clock, budget: CallBudget) -> Iterator[None]:
    budget.spend(f"back from {clock.name}")
    with clock.answering():
        yield


def _died(name: str, death: Death, limits: Limits, cpu_seconds: float) -> StudentError:
    whole_life = allowance(limits).cpu_seconds
    if death.memory:
        return StudentError(
            Status.MEMORY, Cause(("MemoryError",), f"{name} used more than {limits.memory_mb} MiB of memory")
        )
    if death.processes:
        return StudentError(
            Status.CRASHED, Cause(message=f"{name} started more than {limits.processes} threads and processes")
        )
    if death.cause == "exited":
        return StudentError(
            Status.CRASHED, Cause(message=f"{name} ended its Python process with exit code {death.code}")
        )
    # The kernel's limit has no grace: it kills with the one signal or the other.
    if death.code == _SIGXCPU or (death.code == _SIGKILL and cpu_seconds >= whole_life - _CLOCK_SECONDS):
        return OutOfTimeError(
            f"{name} used up the {whole_life} s of processor time that its process may use in its whole life",
            unspent=False,
            used={"processor time": cpu_seconds},
        )
    if death.code == _SIGXFSZ:
        return StudentError(
            Status.CRASHED,
            Cause(message=f"{name}: its process was ended for writing more than {limits.file_mb} MiB to a file"),
        )
    kind = KilledError if death.code == _SIGKILL else StudentError
    return kind(Status.CRASHED, Cause(message=f"{name}: its process was ended by signal {death.code}"))
