"""Messages between the judge and the zygote: small JSON packets, each of which may carry descriptors.

Both ends are the grader's own; no byte of a submission or of a worker passes here.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from typing import Any, NamedTuple

# Stands in a compiled filter for the process id of the worker that it will be put over; no other number of a filter is like it.
ITSELF = 0x5AFE1D5E

_LARGEST = 1 << 17
_DESCRIPTORS = 4


class Packet(NamedTuple):
    """One message and the descriptors that came with it."""

    message: dict[str, Any]
    descriptors: list[int]


class Control:
    """One end of a connection that keeps messages apart.

    Args:
        connection: A connected socket of type SOCK_SEQPACKET.
    """

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Send a message with copies of some descriptors.

        Raises:
            OSError: The other end is gone, or the message is too large.
        """
        socket.send_fds(self.connection, [json.dumps(message).encode()], list(descriptors))

    def receive(self) -> Packet | None:
        """Return the next message, or None where the other end is gone.

        Raises:
            OSError: Nothing came in the time the connection allows.
        """
        data, descriptors, _, _ = socket.recv_fds(self.connection, _LARGEST, _DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
        return Packet(json.loads(data), descriptors) if data else None
