"""Messages between a grader and its warm judges: a length, and so many bytes of JSON, with a descriptor on occasion."""

from __future__ import annotations

import socket
import struct

_LENGTH = struct.Struct(">Q")
_MOST = 1 << 32


def send(connection: socket.socket, content: bytes, descriptors: tuple[int, ...] = ()) -> None:
    """Send a message.

    Raises:
        OSError: The other side is gone, or the connection's time-out was reached.
    """
    head = _LENGTH.pack(len(content))
    if descriptors:
        socket.send_fds(connection, [head], list(descriptors))
    else:
        connection.sendall(head)
    connection.sendall(content)


def receive(connection: socket.socket) -> bytes | None:
    """Return the next message; None where the other side is gone, or went in the middle of one.

    Raises:
        TimeoutError: The connection's time-out was reached before the message began.
    """
    return receive_with(connection)[0]


def receive_with(connection: socket.socket) -> tuple[bytes | None, list[int]]:
    """Return the next message, and the descriptors that came with it.

    Raises:
        TimeoutError: As for `receive`.
    """
    head, descriptors, _, _ = socket.recv_fds(connection, _LENGTH.size, 1)
    while head and len(head) < _LENGTH.size:
        more = connection.recv(_LENGTH.size - len(head))
        head = head + more if more else b""
    if not head or (length := _LENGTH.unpack(head)[0]) > _MOST:
        return None, descriptors
    return _exactly(connection, length), descriptors


def _exactly(connection: socket.socket, length: int) -> bytes | None:
    content = bytearray()
    while len(content) < length:
        part = connection.recv(min(length - len(content), 1 << 20))
        if not part:
            return None
        content += part
    return bytes(content)
