"""Messages over a socket, with a clock that no peer can stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from socket import MSG_PEEK, socket
from time import monotonic
from typing import TypeAlias

from grader.wire.decoder import Revive, keep
from grader.wire.encoder import Reduce, refuse
from grader.wire.errors import ChannelClosed, WireError
from grader.wire.frames import Caps, read, write
from grader.wire.messages import Message
from grader.wire.schema import from_frame, to_frame

Tick: TypeAlias = Callable[[], None]
EVERY = 0.02
_TOGETHER = 1 << 16


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
        self._buffer = memoryview(bytearray(_TOGETHER))
        self._ahead = self._buffer[:0]

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
        pulse = _Pulse(self._sock, tick, every)
        for piece in _joined(write(to_frame(message, self._reduce, self._sendable), self._sendable)):
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
        pulse = _Pulse(self._sock, tick, every)

        def fill(view: memoryview) -> None:
            while view:
                if self._ahead:
                    view = view[self._take(view) :]
                elif len(view) >= _TOGETHER:
                    view = view[pulse.beat(self._receive_into, view) :]
                else:
                    self._ahead = self._buffer[: pulse.beat(self._receive_into, self._buffer)]

        return from_frame(read(fill, self._accepted), self._revive)

    def assert_quiet(self) -> None:
        """Check that nothing waits to be read, as must be before a request and after its answer.

        Raises:
            WireError: Something was sent that nobody asked for.
        """
        try:
            self._sock.settimeout(0)
            extra = self._ahead or self._sock.recv(1, MSG_PEEK)
        except BlockingIOError:
            return
        except OSError as error:
            raise ChannelClosed(f"connection: {error}") from None
        if extra:
            raise WireError("frame: something follows the answer")

    def close(self) -> None:
        """Close the socket."""
        self._sock.close()

    def _take(self, view: memoryview) -> int:
        """Move as much as fits of what was read ahead, and return how much."""
        count = min(len(view), len(self._ahead))
        view[:count] = self._ahead[:count]
        self._ahead = self._ahead[count:]
        return count

    def _receive_into(self, view: memoryview) -> int:
        count = self._sock.recv_into(view)
        if not count:
            raise ChannelClosed("connection: closed by the other side")
        return count


def _joined(pieces: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    """Yield the same bytes in fewer pieces: the other side is woken by the first, and would wait again for each of the rest."""
    small = bytearray()
    for piece in pieces:
        if len(small) + len(piece) > _TOGETHER:
            yield bytes(small)
            small.clear()
        if len(piece) > _TOGETHER:
            yield piece
        else:
            small += piece
    yield bytes(small)


class _Pulse:
    """Calls `tick` in time, whether the other side is silent or trickles."""

    def __init__(self, sock: socket, tick: Tick | None, every: float) -> None:
        self._tick = tick
        self._every = every
        self._due = monotonic() + every
        self._timeout = every if tick else None
        self._sock = sock

    def beat(self, operation: Callable[[memoryview], int], view: memoryview) -> int:
        """Return how many bytes one operation on the socket moved: none, where the other side was not ready."""
        try:
            # Asked first: to set a timeout is a system call, which a sandbox may refuse.
            if self._sock.gettimeout() != self._timeout:
                self._sock.settimeout(self._timeout)
            count = operation(view)
        except TimeoutError:
            count = 0
        except OSError as error:
            raise ChannelClosed(f"connection: {error}") from None
        if self._tick and monotonic() >= self._due:
            self._tick()
            self._due = monotonic() + self._every
        return count
