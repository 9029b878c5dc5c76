"""This grader: submissions are read, judged in the sandbox, scored, kept in the gradebook and reported."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from grader.batch.run import grade_all
from grader.course.assignment import Assignment, load_assignment
from grader.intake.discover import discover
from grader.judge.job import Job
from grader.judge.warm.slot import Slot
from grader.judge.warm.slots import processors_for
from grader.model.evidence import Evidence
from grader.pipeline.settings import Settings, prepare
from grader.sandbox.base import Level
from grader.sandbox.registry import best
from tests.benchmarks.throughput.contender import Grade
from tests.benchmarks.throughput.course import write_course
from tests.benchmarks.throughput.flavour import Flavour
from tests.benchmarks.throughput.ground import FILE, Ground


class Kept(ExitStack):
    """Slots that stay from one part of a class to the next, as they do within a class."""

    def __init__(self, jobs: int) -> None:
        super().__init__()
        self._free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        processors = processors_for(jobs) or [None]
        for number in range(jobs):
            self._free.put(self.enter_context(Slot(processors[number % len(processors)])))

    def run(self, job: Job, assignment: Assignment, stop: object = None) -> Evidence:
        slot = self._free.get()
        try:
            return slot.run(job, assignment, stop)
        finally:
            self._free.put(slot)


class Ours:
    """`grader grade` with so many slots, from the second part of a class on.

    Args:
        slots: How many, each with a core.
    """

    share = 1.0

    def __init__(self, slots: int) -> None:
        self.name = f"grader, {slots} slot{'s' * (slots > 1)}"
        self.cores = slots

    def lacking(self, flavour: Flavour) -> str | None:
        return None

    @contextmanager
    def open(self, ground: Ground) -> Iterator[Grade]:
        home = ground.place(self.name)
        course = write_course(home / "course", ground)
        assignment = load_assignment(course / "assignments" / "timing")
        with Kept(self.cores) as kept:
            level = best(Level.CONTAINER).level
            settings = Settings([prepare(assignment)], key=b"k" * 32, backend=level, run=kept.run)

            def grade(folders: Sequence[Path]) -> None:
                found = discover(folders, [FILE], "one")
                rows = [each.row for each in grade_all(found, settings, jobs=self.cores, out=home / "scores")]
                assert [row.status for row in rows] == ["passed"] * len(folders), rows

            yield grade
