"""The printed output of a worker: read as it comes, kept up to a cap, the rest thrown away."""

from __future__ import annotations

import os
from threading import Thread

from grader.sandbox.base import Output

_CHUNK = 1 << 16


class Drain:
    """Empties a pipe in the background, so that whoever prints is never held up and never fills our memory.

    Args:
        pipe: The reading end; closed when the last writer is gone.
        keep: How many bytes are kept.
    """

    def __init__(self, pipe: int, keep: int) -> None:
        self._pipe = pipe
        self._keep = keep
        self._kept = bytearray()
        self._truncated = False
        self._thread = Thread(target=self._empty, name="worker-output", daemon=True)
        self._thread.start()

    def output(self, patience: float = 0.0) -> Output:
        """Return what came so far, after waiting up to `patience` seconds for the last writer to go."""
        self._thread.join(patience)
        return Output(bytes(self._kept), self._truncated)

    def _empty(self) -> None:
        try:
            while chunk := os.read(self._pipe, _CHUNK):
                room = self._keep - len(self._kept)
                self._truncated |= len(chunk) > room
                self._kept += chunk[:room]
        finally:
            os.close(self._pipe)
