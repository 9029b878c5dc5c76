"""The canary: a worker of our own that tries what no worker may do, before the first submission does.

The judge reads its answers, and what it saw itself, and concludes what holds.
"""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Callable
from typing import Any

from grader.worker.probes import PROBES, Task


def serve(connection: socket.socket, task: dict[str, Any]) -> None:
    """Try everything, answer, then refuse to end: the judge has to show that it can kill."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    given = Task(**task)
    answer = {name: _tried(probe, given) for name, probe in PROBES.items()}
    connection.sendall(json.dumps(answer).encode())
    connection.shutdown(socket.SHUT_WR)
    while True:
        connection.recv(1)
        signal.pause()


def _tried(probe: Callable[[Task], str], task: Task) -> str:
    try:
        return probe(task)
    except Exception as error:  # noqa: BLE001 - a probe that breaks has shown nothing, which is not the same as refused
        return f"could not be tried: {type(error).__name__}: {error}"
