"""Jobs in, evidence out, as long as there are jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from grader.course.assignment import load_assignment
from grader.judge.collect import run_pytest
from grader.judge.job import Job
from grader.judge.prepared import Prepared
from grader.judge.room import refuse_a_small_room
from grader.judge.session import Session, fault
from grader.judge.standing.ahead import Ahead
from grader.judge.standing.loop import LoopPlugin
from grader.model.errors import GraderError
from grader.model.evidence import Evidence
from grader.model.verdict import Suite
from grader.sandbox.base import Profile
from grader.sandbox.none import NoneBackend

Answer = Callable[[Evidence], None]

# What is said once, before any evidence: from here on a job is answered at once.
READY = b"ready\n"


class Answers(Protocol):
    """Where evidence goes to."""

    def write(self, said: bytes, /) -> object:
        """Write it."""
        ...

    def flush(self) -> object:
        """Send it off."""
        ...


def serve(folder: Path, asked: Iterable[bytes], answers: Answers) -> None:
    """Judge submissions to one assignment by its visible tests.

    A fault of ours that concerns them all, such as a suite that cannot be collected, is the answer to each.

    Args:
        folder: The assignment's.
        asked: A job a line.
        answers: Where a line of evidence goes for each, after `READY`.
    """
    jobs = map(Job.model_validate_json, asked)

    def answer(evidence: Evidence) -> None:
        answers.write(evidence.model_dump_json().encode() + b"\n")
        answers.flush()

    def ready() -> Iterator[Job]:
        answers.write(READY)
        answers.flush()
        yield from jobs

    try:
        _judge(folder, ready(), answer)
    except (GraderError, OSError, MemoryError, RuntimeError) as error:
        for job in ready():
            answer(fault(job, error))


def _judge(folder: Path, jobs: Iterator[Job], answer: Answer) -> None:
    refuse_a_small_room()
    prepared = Prepared(load_assignment(folder))
    manifest = prepared.manifest
    with Ahead(NoneBackend().open(Profile(tuple(manifest.allowed_imports), manifest.limits))) as ahead:
        # The worker imports what it may need while this process imports and collects the suite.
        ahead.begin()
        prepared.warm()

        def judged(plugin: LoopPlugin) -> None:
            for job in jobs:
                answer(_answer(job, prepared, ahead, plugin))
                ahead.begin()

        run_pytest(prepared.assignment, [Suite.VISIBLE], LoopPlugin(manifest, judged))


def _answer(job: Job, prepared: Prepared, ahead: Ahead, plugin: LoopPlugin) -> Evidence:
    try:
        with Session(job, prepared, ahead.lend) as session:
            plugin.run(session.runner)
            return session.evidence(plugin)
    except (GraderError, OSError, MemoryError, RuntimeError) as error:
        return fault(job, error)
