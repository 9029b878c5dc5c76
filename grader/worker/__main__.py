"""`python -I -m grader.worker FD`: serve the connected socket with that descriptor.

Where sockets are not inherited by number, as on Windows, `-` reads from standard input what `socket.share` made.
"""

from __future__ import annotations

import socket
import sys

from grader.worker.main import serve


def open_socket(argument: str) -> socket.socket:
    """Return the socket that an argument names."""
    if argument != "-":
        return socket.socket(fileno=int(argument))
    shared: socket.socket = getattr(socket, "fromshare")(sys.stdin.buffer.read())  # noqa: B009  (only Windows has it)
    return shared


def main() -> None:
    """Serve until the judge closes the connection."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -I -m grader.worker FD")
    serve(open_socket(sys.argv[1]))


if __name__ == "__main__":
    main()
