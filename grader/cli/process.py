"""What the process of a command is prepared for: closed streams, and signals that ask it to end."""

from __future__ import annotations

import os
import signal
from typing import IO

_STANDARD_ERROR = 2


def prepare_process() -> None:
    """Open the standard streams that the caller closed, and take requests to end like ^C: what is graded stays."""
    _open_standard_streams()
    # A scheduler that ends a job sends SIGTERM, a terminal that is closed SIGHUP. One that is ignored, as under
    # nohup, stays ignored; Windows has no SIGHUP.
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def forget(stream: IO[str]) -> None:
    """Let what is still buffered for a reader who has gone go nowhere: it would fail once more when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _open_standard_streams() -> None:
    # Else the next file gets the number of one, and what is printed would go into it.
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    os.close(descriptor)
