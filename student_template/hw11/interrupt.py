"""^C in the middle of a run: the step is finished first, for half a step cannot be resumed."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any, Self


class Interrupt:
    """While it is open, the first ^C (or SIGTERM, as clusters send) only asks to stop; the second one is Python's own."""

    def __init__(self) -> None:
        self._asked = False
        self._before: dict[signal.Signals, Any] = {}

    def asked(self) -> bool:
        """Whether someone asked to stop."""
        return self._asked

    def __enter__(self) -> Self:
        self._before = {each: signal.signal(each, self._ask) for each in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
