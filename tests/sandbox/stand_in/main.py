"""A worker's loop for tests of the sandbox alone: runs whatever source arrives, unguarded, and answers with what `result` is."""

import socket
import struct
import sys


def serve(sock: socket.socket) -> None:
    while source := _receive(sock):
        space: dict[str, object] = {"result": None}
        try:
            exec(source, space)  # noqa: S102 - this is the attacker
            answer = repr(space["result"])
        except Exception as error:  # noqa: BLE001 - it tells of whatever an attack raised
            answer = f"{type(error).__name__}: {error}"
        sys.stdout.flush()
        data = answer.encode()
        sock.sendall(struct.pack("!I", len(data)) + data)


def _receive(sock: socket.socket) -> str:
    head = sock.recv(4, socket.MSG_WAITALL)
    return sock.recv(struct.unpack("!I", head)[0], socket.MSG_WAITALL).decode() if len(head) == 4 else ""
