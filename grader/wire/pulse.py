"""A clock over a socket that no peer can stop, by silence or by a trickle."""

from __future__ import annotations

from collections.abc import Callable
from socket import socket
from time import monotonic
from typing import TypeAlias

from grader.wire.errors import ChannelClosed

Tick: TypeAlias = Callable[[], None]
EVERY = 0.02


class Pulse:
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
