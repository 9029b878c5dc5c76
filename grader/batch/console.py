"""Where a run tells how it goes: standard error, whatever becomes of it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import IO, Any, cast

from rich.console import Console

# A log is read in a window that wraps by itself.
_WIDTH_OF_A_LOG = 120


def console() -> Console:
    """Return a console on standard error. That nobody reads it any more, or that its disk is full, stops no run."""
    made = Console(stderr=True, file=cast("IO[str]", _Steady(sys.stderr)) if sys.stderr else None)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = _WIDTH_OF_A_LOG
    return made


class _Steady:
    """A stream that passes over what it cannot write.

    Args:
        stream: The stream behind it.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)
