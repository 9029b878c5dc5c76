"""The loop of a worker: receive, do, answer, until the judge closes the connection."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from socket import socket
from threading import RLock

from grader.wire.channel import Channel
from grader.wire.drawn import generators_in, go_on
from grader.wire.errors import ChannelClosed, Oversized, Unsendable, WireError, mebibytes
from grader.wire.frames import Caps
from grader.wire.messages import Answer, Call, CallBack, CallBackResult, Failed, Get, Load, Message, Vjp
from grader.wire.values import Lent
from grader.worker.dispatch import Attempt, Dispatcher
from grader.worker.errors import Unreturnable
from grader.worker.lent import raised_there
from grader.worker.objects import Objects
from grader.worker.refusal import refusal

_MIB = 2**20


def serve(sock: socket, caps: Caps = Caps()) -> None:  # noqa: B008  (it is frozen)
    """Run the submission that arrives over a socket, until the other side closes it.

    What a submission prints goes out line by line, and no character in it is an error. Otherwise the process is left as it
    was found, save for what the submission itself did.

    Args:
        sock: The worker's end of a connected pair. It is closed at the end.
        caps: The largest frame to send and to accept.

    Raises:
        WireError: The judge broke the rules.
    """
    _prepare_streams()
    worker = Worker(sock, caps)
    try:
        worker.run()
    except ChannelClosed:
        pass
    finally:
        worker.close()


class Worker:
    """One connection to a judge, and the submission it is about.

    Args:
        sock: The worker's end.
        caps: The largest frame.
    """

    def __init__(self, sock: socket, caps: Caps) -> None:
        self._objects = Objects(self._borrow)
        self._dispatcher = Dispatcher(self._objects)
        self._channel = Channel(sock, caps, reduce=self._objects.reduce, revive=self._objects.revive)
        self._running = 0
        # A thread that the submission started may be calling back while the call that started it returns.
        self._turn = RLock()

    def run(self) -> None:
        """Answer requests.

        Raises:
            ChannelClosed: The judge closed the connection.
            WireError: The judge broke the rules.
        """
        while True:
            self._handle(self._channel.receive())

    def close(self) -> None:
        """Close the connection and take the submission out of the process."""
        self._channel.close()
        self._dispatcher.close()

    def _handle(self, request: Message) -> None:
        self._running += 1
        answer = self._dispatcher.answer(request)
        if isinstance(request, Load):
            self._channel.send_at_most(request.bounds.reply_mb * _MIB)
        with self._turn:
            self._running -= 1
            self._reply(answer, request.target if isinstance(request, Call | Vjp | Get) else request.kind)

    def _reply(self, answer: Answer, target: str) -> None:
        try:
            self._channel.send(answer)
        except WireError:
            raise
        except BaseException as error:  # noqa: BLE001  (no memory, or a class that does not let itself be read)
            self._channel.send(self._instead(answer, target, error))

    def _instead(self, answer: Answer, target: str, error: BaseException) -> Failed:
        with suppress(Exception):  # there may be no memory for more than the error itself
            if isinstance(error, Unsendable):
                error = refusal(target.rpartition(".")[2], answer, error, self._objects.reduce)
        return self._dispatcher.failed(error, Attempt())

    def _borrow(self, lent: Lent) -> Callable[..., object]:
        def given(*args: object, **kwargs: object) -> object:
            return self._call_back(CallBack(lent.id, args, kwargs))

        return given

    def _call_back(self, request: CallBack) -> object:
        with self._turn:
            if not self._running:
                raise RuntimeError("a function you were given can only be called while the call it was given to runs")
            self._send_back(request)
            while not isinstance(reply := self._channel.receive(), CallBackResult):
                self._handle(reply)
        if reply.error:
            raise raised_there(reply.error)
        go_on(generators_in(request.args, request.kwargs), reply.generators)
        return self._objects.given.built(reply.value)

    def _send_back(self, request: CallBack) -> None:
        try:
            self._channel.send(request)
        except Oversized as error:
            sizes = f"{mebibytes(error.size)} MiB of arrays, more than the {mebibytes(error.room)} MiB that one call back may carry"
            raise Unreturnable(f"a function you were given was called with {sizes}") from None


def _prepare_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", line_buffering=True)
