"""What a judge makes of bytes, and some that are right."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator
from contextlib import closing, suppress

import numpy as np

from grader.wire.channel import Channel
from grader.wire.errors import WireError
from grader.wire.exchange import Lending
from grader.wire.frames import Caps, write
from grader.wire.messages import Call, CallBack, Failed, Failure, Flag, Loaded, Message, Returned
from grader.wire.schema import to_frame
from grader.wire.values import Handle

CAPS = Caps(payload_bytes=2**20)
SLACK = 24 * 2**20  # what parsing the largest header may take beside the payload


def heard(data: bytes) -> Generator[Message | WireError, None, None]:
    """Yield what a judge makes of bytes that arrive, after which the other side closes: messages, and one error."""
    ours, theirs = socket.socketpair()
    lending = Lending()
    with ours, theirs:
        sender = threading.Thread(target=_say, args=(theirs, data))
        sender.start()
        channel = Channel(ours, CAPS, reduce=lending.reduce, revive=lending.revive)
        try:
            while True:
                yield channel.receive(lambda: None)
        except WireError as error:
            yield error
        finally:
            ours.close()
            sender.join()


def judge(data: bytes) -> Message | WireError:
    """Return the first of it."""
    with closing(heard(data)) as told:
        return next(told)


def said(message: Message) -> bytes:
    """Return the bytes of a message."""
    return b"".join(bytes(piece) for piece in write(to_frame(message), CAPS))


def _say(sock: socket.socket, data: bytes) -> None:
    """Send everything, unless the other side has heard enough."""
    with suppress(OSError):
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)


VALID = [
    said(message)
    for message in (
        Returned(np.arange(6.0).reshape(2, 3), (np.array([True, False]), np.float32(2), 1j), {"axis": -1}),
        Returned({"S": [1, 2.5, None, "é"], (1, "a"): (float("nan"), 10**30)}, (b"abc", Handle(3, "Box"))),
        Returned(np.random.default_rng(1), ([[[np.zeros((0, 3), np.int16)]]],)),
        Failed(Failure("call", ["ValueError", "Exception"], "no", "attention.py", 3)),
        Loaded([Flag("a.py", 1, "gc")]),
        CallBack(0, (np.ones(3, np.complex64),)),
        Call("a.b", (1, 2, 3), {"x": 5}),
        Returned(1.5, None, None),
    )
]
