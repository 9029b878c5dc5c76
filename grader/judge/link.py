"""One living worker, as the judge holds it: questions with a deadline, and what its death means."""

from __future__ import annotations

from collections.abc import Callable

from grader.judge.clock import Clock, OutOfTimeError
from grader.model.manifest import Limits
from grader.model.verdict import Status
from grader.sandbox.base import Death, Output, Worker
from grader.testing.student import Cause, StudentError
from grader.wire.channel import Channel
from grader.wire.errors import ChannelClosed, WireError
from grader.wire.exchange import Lending, exchange
from grader.wire.frames import Caps
from grader.wire.messages import Answer, Request

_SIGKILL, _SIGXCPU = 9, 24
_REAP_SECONDS = 5.0
_MIB = 1024 * 1024


class KilledError(StudentError):
    """The worker died of a SIGKILL that neither we nor its memory limit sent: perhaps the machine did."""


class Link:
    """A worker and the channel to it. After any fault it is of no further use."""

    def __init__(self, worker: Worker, limits: Limits) -> None:
        self._worker = worker
        self._limits = limits
        self._lending = Lending()
        caps = Caps(payload_bytes=limits.reply_mb * _MIB)
        self._channel = Channel(worker.socket, caps, reduce=self._lending.reduce, revive=self._lending.revive)

    def ask(self, request: Request, name: str, reference_seconds: Callable[[], float]) -> Answer:
        """Return the answer to a request.

        Args:
            request: The request.
            name: What to call it in a message.
            reference_seconds: How long the reference takes for it; asked only when the answer is slow to come.

        Raises:
            StudentError: The worker hung, died, or sent something that is no answer.
        """
        clock = Clock(self._worker, self._limits, reference_seconds, name)
        try:
            return exchange(self._channel, request, self._lending, clock.tick)
        except ChannelClosed:
            raise self._buried(name) from None
        except WireError as error:
            raise StudentError(
                Status.CRASHED, Cause(message=f"{name}: its process sent something that is no answer ({error})")
            ) from error

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
        return _died(name, death, self._limits)


def _died(name: str, death: Death, limits: Limits) -> StudentError:
    if death.memory:
        return StudentError(
            Status.MEMORY, Cause(("MemoryError",), f"{name} used more than {limits.memory_mb} MiB of memory")
        )
    if death.cause == "exited":
        return StudentError(
            Status.CRASHED, Cause(message=f"{name} ended its Python process with exit code {death.code}")
        )
    if death.code == _SIGXCPU:
        return OutOfTimeError(f"{name} used up its process's processor time", unspent=False)
    kind = KilledError if death.code == _SIGKILL else StudentError
    return kind(Status.CRASHED, Cause(message=f"{name}: its process was ended by signal {death.code}"))
