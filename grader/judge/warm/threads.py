"""A process that forks has one thread."""

from __future__ import annotations

import threading


def refuse_threads() -> None:
    """Wait for threads that are about to end.

    Raises:
        RuntimeError: One goes on. A fork copies the calling thread alone: a lock that another holds would never be let go.
    """
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(1.0)
    if threading.active_count() > 1:
        raise RuntimeError(f"{threading.active_count() - 1} threads are at work, so that a fork is not safe")
