"""The judge's half of a conversation: one request, the functions lent with it, one answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeAlias

from grader.wire.channel import Channel
from grader.wire.drawn import generators_in
from grader.wire.errors import Unsendable, WireError
from grader.wire.messages import (
    MAX_MESSAGE,
    MAX_TYPES,
    Answer,
    Call,
    CallBack,
    CallBackResult,
    Failed,
    Failure,
    Get,
    Import,
    Imported,
    Load,
    Loaded,
    Message,
    Release,
    Replace,
    Request,
    Returned,
    Set,
    Vjp,
)
from grader.wire.pulse import Tick
from grader.wire.text import clean
from grader.wire.values import Handle, Lent

Watch: TypeAlias = Callable[[], AbstractContextManager[None]]
MAX_LENT = 10_000
MAX_DEPTH = 16  # of functions that ask the worker, which calls back, and so on: each takes room on both stacks
_ANSWERS: dict[type[Request], type[Answer]] = {
    Load: Loaded,
    Import: Imported,
    Call: Returned,
    Vjp: Returned,
    Get: Returned,
    Set: Returned,
    Replace: Returned,
    Release: Returned,
}


class Lending:
    """The judge's functions that one worker may call back: the `reduce` and `revive` of the judge's channel.

    They stay lent as long as the worker lives, for an object in it may have kept one. Derive from this to give other
    objects of the judge, such as its proxies of the worker's objects, a form on the wire.
    """

    def __init__(self) -> None:
        self._functions: list[Callable[..., object]] = []
        self._ids: dict[int, int] = {}
        self._depth = 0

    def reduce(self, value: object) -> Handle | Lent:
        """Lend a function.

        Raises:
            Unsendable: It is no function, or one too many. A class is no function here, though it can be called: to lend one
                would be a mistake for sending what it makes.
        """
        if not callable(value) or isinstance(value, type):
            raise Unsendable(f"a value of type {type(value).__qualname__}")
        if id(value) not in self._ids:
            if len(self._functions) >= MAX_LENT:
                raise Unsendable(f"more than {MAX_LENT} functions")
            self._ids[id(value)] = len(self._functions)
            self._functions.append(value)
        return Lent(self._ids[id(value)])

    def revive(self, reference: Handle | Lent) -> object:
        """Return the function that was lent; a handle stays one.

        Raises:
            WireError: No function was lent under that number.
        """
        if isinstance(reference, Handle):
            return reference
        if reference.id >= len(self._functions):
            raise WireError(f"lent: no function has number {reference.id}")
        return self._functions[reference.id]

    def answer(self, request: CallBack) -> CallBackResult:
        """Call a lent function for the worker; what it raises is told to the worker.

        Raises:
            WireError: No function was lent under that number, or the worker failed in a request made meanwhile.
        """
        function: Any = self.revive(Lent(request.id))
        if self._depth >= MAX_DEPTH:
            return CallBackResult(error=_told(RecursionError(f"calls back and forth are nested {MAX_DEPTH} deep")))
        self._depth += 1
        try:
            value = function(*request.args, **request.kwargs)
            return CallBackResult(value, generators=generators_in(request.args, request.kwargs))
        except WireError:
            raise
        except Exception as error:  # noqa: BLE001  (whatever it is, it was the call that raised it)
            return CallBackResult(error=_told(error))
        finally:
            self._depth -= 1


def exchange(
    channel: Channel, request: Request, lending: Lending, tick: Tick | None = None, *, watch: Watch = nullcontext
) -> Answer:
    """Send a request, answer the calls that come back meanwhile, and return the answer.

    A lent function may itself make a request of the same worker.

    Args:
        channel: The judge's end.
        request: What is asked of the worker.
        lending: The functions it may call back.
        tick: See `Channel.receive`. Where it raises within a lent function, that is the same deadline: it will raise again.
        watch: Entered around each lent function that is called back. It may raise, to give up: nothing else bounds how
            often a worker calls back, or what that costs.

    Returns:
        The answer that belongs to the request, or `Failed`.

    Raises:
        Unsendable: A value of the request does not travel. Nothing has been sent.
        WireError: The worker broke the rules: its answer is malformed, of the wrong kind, or followed by more.
        ChannelClosed: The worker is gone.
    """
    channel.assert_quiet()
    channel.send(request, tick)
    reply = channel.receive(tick)
    while isinstance(reply, CallBack):
        with watch():
            result = lending.answer(reply)
        _give(channel, result, tick)
        reply = channel.receive(tick)
    channel.assert_quiet()
    return _fitting(request, reply)


def _give(channel: Channel, result: CallBackResult, tick: Tick | None) -> None:
    try:
        channel.send(result, tick)
    except Unsendable as error:  # it came of the worker's own arguments, so it is the worker that is told
        channel.send(CallBackResult(error=_told(error)), tick)


def _fitting(request: Request, reply: Message) -> Answer:
    if not isinstance(reply, Failed | _ANSWERS[type(request)]):
        raise WireError(f"message: {reply.kind} is no answer to {request.kind}")
    return reply


def _told(error: Exception) -> Failure:
    names = [kind.__name__ for kind in type(error).__mro__[:MAX_TYPES] if kind is not object]
    return Failure("call", names, clean(str(error))[:MAX_MESSAGE])
