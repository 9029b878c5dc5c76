"""What runs on a node of a cluster, inside a worker of Dask.

Dask calls these functions by their names, with text and bytes. None of them raises: Dask would write its arguments, which are tests and
submissions, into the worker's log. A judge is started as a process of its own, never forked from Dask's threads.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from grader import __version__
from grader.course.assignment import load_assignment
from grader.executors.held import Held
from grader.executors.packed import PackedCourse, unpacked
from grader.executors.words import Fit, Seen
from grader.judge.job import Job
from grader.judge.run import Stopped
from grader.judge.session import fault
from grader.model.errors import GraderError
from grader.model.manifest import Limits
from grader.pipeline.engine import code_digest
from grader.pipeline.ground import environment
from grader.sandbox.base import Level, Profile
from grader.sandbox.registry import BACKENDS

_RUNS: dict[str, Held] = {}


def look(digest: str, dask_worker: Any) -> str:  # noqa: ANN401  # Dask's own class, which is not imported here
    """Return what this node is, as `Seen` in JSON.

    Args:
        digest: The course that is to come.
        dask_worker: Dask hands it in.
    """
    holds = _home(dask_worker, digest).is_dir()
    return Seen(grader=__version__, code=code_digest(), holds=holds).model_dump_json()


async def take(run: str, digest: str, content: bytes, level: str, dask_worker: Any) -> str:  # noqa: ANN401  # as above
    """Take the course for a run, and return what this node gives, as `Fit` in JSON.

    Args:
        run: What the run is called.
        digest: The course's digest.
        content: The course; empty where this node holds it already.
        level: The isolation that is wanted.
        dask_worker: Dask hands it in.
    """
    return await asyncio.to_thread(_taken, run, PackedCourse(digest, content), Level(level), _home(dask_worker, digest))


def judge(run: str, asked: str) -> str:
    """Judge a submission once.

    Args:
        run: What the run is called.
        asked: The job, as JSON; its assignment is a path within the course.

    Returns:
        The evidence, as JSON; empty where this worker knows nothing of the run, as one does that was started anew.
    """
    held = _RUNS.get(run)
    if held is None:
        return ""
    job = Job.model_validate_json(asked)
    job = job.model_copy(update={"assignment": held.course / job.assignment})
    try:
        return held.run(job, load_assignment(job.assignment)).model_dump_json()
    except Stopped:
        return ""
    except (GraderError, OSError, MemoryError, RuntimeError, ValueError) as error:
        return fault(job, error).model_dump_json()


async def leave(run: str) -> None:
    """End what a run has here, whatever it is doing."""
    if held := _RUNS.pop(run, None):
        await asyncio.to_thread(held.close)


def _home(dask_worker: Any, digest: str) -> Path:  # noqa: ANN401  # as above
    """The course's folder: where the worker keeps its files, which go with it."""
    return Path(dask_worker.local_directory) / "rowwise" / digest


def _taken(run: str, packed: PackedCourse, level: Level, course: Path) -> str:
    for old in [name for name, held in _RUNS.items() if held.is_forgotten()]:
        _RUNS.pop(old).close()
    try:
        if not course.is_dir():
            unpacked(packed, course)
        fit = _fit(course, level)
    except GraderError as error:
        fit = Fit(problem=error.message, hint=error.hint)
    except (OSError, MemoryError, RuntimeError, ValueError) as error:
        fit = Fit(problem=f"{type(error).__name__}: {error}")
    if not fit.problem:
        _RUNS[run] = Held(course)
    return fit.model_dump_json()


def _fit(course: Path, level: Level) -> Fit:
    folders = [path.parent for path in (course / "assignments").glob("*/assignment.toml")]
    environments = {folder.name: environment(load_assignment(folder).manifest) for folder in folders}
    backend = BACKENDS[level]
    if reason := backend.unavailable():
        return Fit(environments=environments, problem=f"it gives no sandbox of level {level}: {reason}")
    with backend.open(Profile(("numpy",), Limits())) as sandbox:
        return Fit(environments=environments, level=sandbox.isolation.level)
