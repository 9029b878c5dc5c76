"""Verify several assignments, each in a process of its own: two suites may have files of the same name."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from grader.sandbox.environment import one_thread_each
from grader.verify.result import Result
from grader.verify.run import verify_assignment


def verify_all(folders: Sequence[Path], *, seeds: int, jobs: int, write_lock: bool = False) -> Iterator[Result]:
    """Yield the result of each assignment, in the order given."""
    with (
        computing_in_one_thread(),
        ProcessPoolExecutor(jobs, get_context("spawn"), _prepare, max_tasks_per_child=1) as pool,
    ):
        waiting = [pool.submit(verify_assignment, folder, seeds=seeds, write_lock=write_lock) for folder in folders]
        for future in waiting:
            yield future.result()


@contextmanager
def computing_in_one_thread() -> Iterator[None]:
    """Let the processes that are started meanwhile compute in one thread: they load NumPy before anyone can tell them."""
    before = dict(os.environ)
    one_thread_each()
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _prepare() -> None:
    """Set up a process. What it makes it keeps to its end: looking through that for garbage again and again finds none."""
    gc.set_threshold(50_000, 50, 50)
