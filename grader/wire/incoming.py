"""What arrives over a socket, received a little ahead of being asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from socket import MSG_PEEK, socket

from grader.wire.errors import ChannelClosed
from grader.wire.pulse import EVERY, Pulse

if sys.platform != "win32":
    from select import POLLIN, poll

_AHEAD = 1 << 13  # bytes: a large buffer is pages that each worker and each judge begins with


class Incoming:
    """What arrives: a little of it is received before it is asked for, so that a small frame takes one call of the system."""

    def __init__(self, sock: socket) -> None:
        self.pulse = Pulse(sock, None, EVERY)
        self._sock = sock
        self._is_silent = _silence_of(sock)
        self._buffer = memoryview(bytearray(_AHEAD))
        self.ahead = self._buffer[:0]

    def take(self, count: int) -> bytes | bytearray:
        """Return the next bytes, so many."""
        if count and not self.ahead:
            self._receive_ahead()
        if count <= len(self.ahead):
            found = bytes(self.ahead[:count])
            self.ahead = self.ahead[count:]
            return found
        larger = bytearray(count)
        self.fill(memoryview(larger))
        return larger

    def fill(self, view: memoryview) -> None:
        """Fill a view."""
        while view:
            if self.ahead:
                count = min(len(view), len(self.ahead))
                view[:count] = self.ahead[:count]
                self.ahead = self.ahead[count:]
                view = view[count:]
            elif len(view) >= _AHEAD:
                view = view[self.pulse.beat(self._receive_into, view) :]
            else:
                self._receive_ahead()

    def waits(self) -> bool:
        """Whether something waits that was not received."""
        if self._is_silent():
            return False
        try:
            self._sock.settimeout(0)
            return bool(self._sock.recv(1, MSG_PEEK))
        except BlockingIOError:
            return False
        except OSError as error:
            raise ChannelClosed(f"connection: {error}") from None

    def _receive_ahead(self) -> None:
        self.ahead = self._buffer[: self.pulse.beat(self._receive_into, self._buffer)]

    def _receive_into(self, view: memoryview) -> int:
        count = self._sock.recv_into(view)
        if not count:
            raise ChannelClosed("connection: closed by the other side")
        return count


if sys.platform == "win32":

    def _silence_of(sock: socket) -> Callable[[], bool]:  # noqa: ARG001  # Windows has no call for one socket that is as cheap
        return lambda: False

else:

    def _silence_of(sock: socket) -> Callable[[], bool]:
        """Return what tells that a socket has certainly nothing to read; asked twice a request, it leaves the timeout as it is."""
        asked = poll()
        asked.register(sock, POLLIN)
        return lambda: not asked.poll(0)
