"""How time and memory grow with a class: one run of `grader grade` over as many submissions, looked at as it goes.

python -m tests.benchmarks.growth [--size 3000] [--jobs 2] [--exercise attention.softmax]

The class is made of the sample class of attention, again and again, with a line in each file that makes it another: right answers, mistakes
that have to be named, loops, crashes and what cannot be read are in it as they are among students.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from zipfile import ZipFile

from grader.batch.command import Request, run
from tests.benchmarks.throughput.cores import spent
from tests.benchmarks.weight import gradebook, own, share_below
from tests.conftest import ROOT

SAMPLES = ROOT / "assignments" / "attention" / "sample_class"
MEMORY_MB, GRADEBOOK_MB = 20, 200


@dataclass(frozen=True)
class Look:
    """What was seen when so many submissions were finished; seconds since the run began, megabytes."""

    finished: int
    wall: float
    cpu: float
    own: float
    below: float
    gradebook: float


@dataclass
class Looks:
    """Looks at a run each time that so many more submissions are finished.

    Args:
        every: So many.
        book: The gradebook's file.
    """

    every: int
    book: Path

    def __post_init__(self) -> None:
        self.seen: list[Look] = []
        self._finished = 0
        self._wall, self._cpu = time.perf_counter(), spent()

    def __call__(self, _: str) -> None:
        """Be told of a submission that is finished."""
        self._finished += 1
        if self._finished % self.every == 0:
            wall, cpu = time.perf_counter() - self._wall, spent() - self._cpu
            self.seen.append(Look(self._finished, wall, cpu, own(), share_below(), gradebook(self.book)))
            sys.stdout.write(_row(self.seen))
            sys.stdout.flush()


def hand_in(home: Path, size: int) -> int:
    """Make a class of different submissions, and return how many students it is made of."""
    samples = sorted(path for path in SAMPLES.iterdir() if path.is_dir())
    for number, sample in enumerate(islice(cycle(samples), size)):
        # Graded by name: so each stretch of the run is made of all samples.
        student, line = home / f"{number:05}-{sample.name}", f"\n# {number}\n".encode()
        student.mkdir(parents=True)
        for name, content in _files(sample):
            (student / name).write_bytes(content + line)
    return len(samples)


def _files(sample: Path) -> Iterator[tuple[str, bytes]]:
    """Yield what a student handed in, loose or in an archive."""
    for file in sample.glob("*.py"):
        yield file.name, file.read_bytes()
    for archive in sample.glob("*.zip"):
        with ZipFile(archive) as opened:
            for name in fnmatch.filter(opened.namelist(), "*.py"):
                yield Path(name).name, opened.read(name)


def grade(home: Path, options: argparse.Namespace) -> list[Look]:
    """Grade the class, and return what was seen."""
    out = home / "scores"
    looks = Looks(options.every, out / "gradebook.db")
    nothing = dict.fromkeys(("mode", "isolation", "fail_under", "gradebook", "submitted", "roster"))
    request = Request(
        paths=[home / "class"],
        assignments=["attention"],
        out=out,
        jobs=options.jobs,
        exercises=options.exercise,
        students=[],
        source="auto",
        executor="local",
        scheduler=None,
        weak=False,
        seed_key=home / "key",
        force=False,
        json_lines=True,
        course=ROOT,
        **nothing,
    )
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, contextlib.redirect_stderr(nowhere):
        run(request, looks)
    return looks.seen


def _row(seen: Sequence[Look]) -> str:
    last, before = seen[-1], seen[-2] if len(seen) > 1 else Look(0, 0, 0, 0, 0, 0)
    number = last.finished - before.finished
    wall, cpu = ((getattr(last, name) - getattr(before, name)) / number * 1000 for name in ("wall", "cpu"))
    return (
        f"{last.finished:6} finished   {wall:7.1f} ms each, {cpu:7.1f} of processor time   "
        f"grader {last.own:6.1f} MB, its judges {last.below:6.1f} MB, gradebook {last.gradebook:6.1f} MB\n"
    )


@dataclass(frozen=True)
class Growth:
    """What a run came to.

    Args:
        memory: Megabytes that the grader's own process grew by, from the first look to the last.
        gradebook: Megabytes of the gradebook at the end.
        wall: How many times as long a submission took in the last third of the run as in the first, from the first look on.
        cpu: The same by processor time.
    """

    memory: float
    gradebook: float
    wall: float
    cpu: float


def growth(seen: Sequence[Look]) -> Growth:
    """Compare the end of a run with its beginning. What is made ready once, before the first look, is no part of it."""
    third = (len(seen) - 1) // 3
    first, last = (seen[0], seen[third]), (seen[-1 - third], seen[-1])
    times = {name: _rate(last, name) / _rate(first, name) for name in ("wall", "cpu")}
    return Growth(seen[-1].own - seen[0].own, seen[-1].gradebook, **times)


def _rate(part: tuple[Look, Look], name: str) -> float:
    begun, ended = part
    return (getattr(ended, name) - getattr(begun, name)) / (ended.finished - begun.finished)


def main(words: Sequence[str] | None = None) -> int:
    """Grade a class and look: exit 1 where memory or gradebook grow further than they may. Time is only told, for machines are busy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=3000)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--exercise", action="append", default=[], help="Only this one; may be given again")
    parser.add_argument("--every", type=int, help="Look so often; five times the sample class where not given")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        students = hand_in(Path(folder) / "class", options.size)
        options.every = options.every or 5 * students
        told = growth(grade(Path(folder), options))
    sys.stdout.write(
        f"the grader's own process grew by {told.memory:.1f} MB, the gradebook has {told.gradebook:.1f} MB; a submission of the last third "
        f"took {told.wall:.3f} times what one of the first third took, {told.cpu:.3f} times the processor time\n"
    )
    return int(told.memory > MEMORY_MB or told.gradebook > GRADEBOOK_MB)


if __name__ == "__main__":
    sys.exit(main())
