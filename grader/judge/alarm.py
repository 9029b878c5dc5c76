"""A look at the clock while the judge itself is at work."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_EVERY_SECONDS = 0.1

if sys.platform == "win32":

    @contextmanager
    def looking(look: Callable[[], None]) -> Iterator[None]:  # noqa: ARG001  # it has no timers: a look afterwards must do
        """Run the body."""
        yield

else:

    @contextmanager
    def looking(look: Callable[[], None]) -> Iterator[None]:
        """Call `look` again and again while the body runs, until it raises, which ends the body.

        Between two steps of Python alone, and only in a main thread: no other can be interrupted.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        over = False

        def ring(*_: object) -> None:
            if not over:
                look()
                signal.setitimer(signal.ITIMER_REAL, _EVERY_SECONDS)

        handler = signal.signal(signal.SIGALRM, ring)
        left, interval = signal.setitimer(signal.ITIMER_REAL, _EVERY_SECONDS)

        def restore() -> None:
            nonlocal over
            over = True
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, left, interval)

        try:
            try:
                yield
            finally:
                restore()
        except BaseException:
            # It rings until it raises, and never after: where it raised in the midst of the first attempt, this one goes through.
            restore()
            raise
