"""Verify several assignments, each in a process of its own: two suites may have files of the same name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from grader.sandbox.environment import one_thread_each
from grader.verify.result import Result
from grader.verify.run import verify_assignment


def verify_all(folders: Sequence[Path], *, seeds: int, jobs: int, write_lock: bool = False) -> Iterator[Result]:
    """Yield the result of each assignment, in the order given."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), one_thread_each, max_tasks_per_child=1) as pool:
        waiting = [pool.submit(verify_assignment, folder, seeds=seeds, write_lock=write_lock) for folder in folders]
        for future in waiting:
            yield future.result()
