"""Messages over a socket, with a clock that no peer can stop."""

from __future__ import annotations

from dataclasses import replace
from socket import socket

from grader.wire.decoder import Revive, keep
from grader.wire.encoder import Reduce, refuse
from grader.wire.errors import WireError
from grader.wire.frames import Caps, read, write
from grader.wire.incoming import Incoming
from grader.wire.messages import Message
from grader.wire.pulse import EVERY, Pulse, Tick
from grader.wire.schema import from_frame, to_frame


class Channel:
    """One end of a connection.

    Args:
        sock: A connected stream socket. The channel owns its timeout, and closes it.
        caps: The largest frame to accept and to send.
        reduce: What stands for an object that does not travel; see `codec.encode`.
        revive: What a reference stands for on this side; see `codec.decode`.
    """

    def __init__(
        self,
        sock: socket,
        caps: Caps = Caps(),  # noqa: B008  (it is frozen)
        *,
        reduce: Reduce = refuse,
        revive: Revive = keep,
    ) -> None:
        self._sock = sock
        self._accepted = self._sendable = caps
        self._reduce = reduce
        self._revive = revive
        self._incoming = Incoming(sock)

    def send_at_most(self, payload_bytes: int) -> None:
        """Hold what is sent from now on to fewer bytes of arrays than are accepted."""
        smaller = min(payload_bytes, self._accepted.payload_bytes)
        self._sendable = replace(self._accepted, payload_bytes=smaller)

    def send(self, message: Message, tick: Tick | None = None, every: float = EVERY) -> None:
        """Send one message.

        Args:
            message: Anything of `messages`.
            tick: Called at least every `every` seconds while the other side is not reading. It may raise, to give up.
            every: Seconds.

        Raises:
            Unsendable: A value in the message does not travel. Nothing has been sent.
            ChannelClosed: The other side is gone.
        """
        pulse = Pulse(self._sock, tick, every)
        for piece in write(to_frame(message, self._reduce, self._sendable), self._sendable):
            view = memoryview(piece)
            while view:
                view = view[pulse.beat(self._sock.send, view) :]

    def receive(self, tick: Tick | None = None, every: float = EVERY) -> Message:
        """Wait for one message, and return it.

        Args:
            tick: Called at least every `every` seconds while waiting, in the middle of a frame too. It may raise, to
                give up.
            every: Seconds.

        Raises:
            WireError: What came is no message. The channel is then of no further use.
            ChannelClosed: The other side is gone.
        """
        incoming = self._incoming
        incoming.pulse = Pulse(self._sock, tick, every)
        return from_frame(read(incoming, self._accepted), self._revive)

    def assert_quiet(self) -> None:
        """Check that nothing waits to be read, as must be before a request and after its answer.

        Raises:
            WireError: Something was sent that nobody asked for.
        """
        if self._incoming.ahead or self._incoming.waits():
            raise WireError("frame: something follows the answer")

    def close(self) -> None:
        """Close the socket."""
        self._sock.close()
