"""One submission judged: workers, a runner for pytest's loop, and evidence of what came of it."""

from __future__ import annotations

import functools
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.course.assignment import load_assignment
from grader.course.lock import LockedTest
from grader.judge.callers import Callers
from grader.judge.collect import run_pytest
from grader.judge.harvest import disagreement
from grader.judge.job import Job
from grader.judge.memory import limit_memory, own_data
from grader.judge.naming import name_mistakes
from grader.judge.plugin import JudgePlugin
from grader.judge.prepared import Prepared
from grader.judge.record import Request
from grader.judge.room import refuse_a_small_room
from grader.judge.sheet import Sheet
from grader.judge.single import Single
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench
from grader.model.errors import CourseError, GraderError
from grader.model.evidence import Evidence, Flag, IsolationInfo, OutputInfo
from grader.sandbox.base import Isolation, Level, Output, Profile, Sandbox
from grader.sandbox.registry import BACKENDS
from grader.testing.artifacts import Artifacts
from grader.testing.telling import Telling

Opening = Callable[[Profile], Sandbox]


def judge(job: Job, *, alone: bool = False) -> Evidence:
    """Judge a submission; whatever goes wrong on our side becomes the `problem` of the evidence.

    Args:
        job: What to judge.
        alone: Whether this process does nothing else, so that its memory may be limited.
    """
    try:
        refuse_a_small_room()
        prepared = Prepared(load_assignment(job.assignment))
        if alone:
            limit_memory(own_data(), prepared.manifest.limits)
        with Session(job, prepared, BACKENDS[Level(job.backend)].open) as session:
            plugin = JudgePlugin(prepared.manifest, session.runner)
            run_pytest(prepared.assignment, job.suites, plugin)
            return session.evidence(plugin)
    except (GraderError, OSError, MemoryError, RuntimeError) as error:
        return fault(job, error)


def fault(job: Job, error: Exception) -> Evidence:
    """Return the evidence of a session that ended by a fault of ours."""
    name = Path(job.assignment).name
    if isinstance(error, GraderError):
        return Evidence(assignment=name, problem=str(error), course_fault=isinstance(error, CourseError))
    return Evidence(assignment=name, problem=f"the judge could not go on: {type(error).__name__}: {error}")


class Session:
    """A submission with its workers, from the first test to the evidence.

    Args:
        job: What to judge.
        prepared: The assignment.
        opening: Opens the sandbox.

    Raises:
        GraderError: There is no sandbox to be had.
    """

    def __init__(self, job: Job, prepared: Prepared, opening: Opening) -> None:
        self._started = time.perf_counter()
        self._job = job
        self._prepared = prepared
        self._manifest = manifest = prepared.manifest
        self._open = ExitStack()
        sandbox = self._open.enter_context(opening(Profile(tuple(manifest.allowed_imports), manifest.limits)))
        self._isolation = sandbox.isolation
        self._callers = self._open.enter_context(self._callers_in(sandbox))
        self.runner = Single(
            self._bench(),
            self._callers,
            manifest,
            job.seeds,
            self._wanted(),
            impossible=self._impossible(sandbox.isolation.level),
        )
        self._opened = time.perf_counter() - self._started

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def _callers_in(self, sandbox: Sandbox) -> Callers:
        job, prepared = self._job, self._prepared
        questions = [found for found, _, _ in prepared.questions.asked()] if prepared.questions else []
        return Callers(
            sandbox,
            job.files | prepared.materials,
            self._manifest,
            prepared.right,
            self._reference_seconds,
            student=job.student,
            refused=job.refused,
            questions=questions,
        )

    def _bench(self) -> Bench:
        prepared, manifest = self._prepared, self._manifest
        asked = prepared.questions
        return Bench(
            prepared.reference,
            prepared.right,
            [exercise.id for exercise in manifest.exercises],
            manifest.limits.calls,
            manifest.given_names,
            artifacts=Artifacts(self._job.artifacts, self._job.refused, manifest.artifacts_by),
            sound=prepared.sound,
            telling=Telling(self._job.language, self._job.verbose, prepared.parameters),
            sheet=Sheet(asked, prepared.assignment.id, self._callers.own.owner) if asked else None,
        )

    def evidence(self, plugin: JudgePlugin) -> Evidence:
        """Return what came of the tests, when they have run, and the names of the mistakes."""
        single, callers = self.runner, self._callers
        callers.close()
        stale = self._lock_problem(plugin.collected)
        torn = disagreement(plugin.report, single.evidence, [test.id for test in plugin.selected])
        tests = [single.evidence[test.id] for test in plugin.selected if test.id in single.evidence]
        return Evidence(
            assignment=self._prepared.assignment.id,
            tests=tests,
            diagnoses=name_mistakes(self._manifest, lambda: self._prepared.diagnosing, single),
            flags=[Flag(file=flag.file, line=flag.line, name=flag.name) for flag in callers.own.flags],
            output=_output(callers.printed, self._manifest.limits.output_kb),
            isolation=_told(self._isolation),
            environment=dict(environment()),
            problem=stale or (str(callers.fault) if callers.fault else torn),
            course_fault=stale is not None or isinstance(callers.fault, CourseError),
            wall_overrun=callers.overrun,
            worker_killed=callers.killed,
            timings={"sandbox": self._opened, "suite": time.perf_counter() - self._started - self._opened}
            | plugin.seconds
            | callers.used,
        )

    def _wanted(self) -> Callable[[SuiteTest], bool]:
        exercises = {
            need for exercise in self._job.exercises for need in (exercise, *self._manifest.prerequisites(exercise))
        }
        exercises -= set(self._job.settled) - set(self._job.exercises)
        tests = set(self._job.tests)
        return lambda test: (not exercises or test.locked.exercise in exercises) and (not tests or test.id in tests)

    def _impossible(self, level: Level) -> dict[str, str]:
        """The exercises that this sandbox has no place for: only at two levels a worker has a folder of its own to write to."""
        if level in (Level.FULL, Level.NONE):
            return {}
        reason = f"this exercise writes files, and at level {level} there is no place for them; `grader doctor` tells what level full needs"
        return {each.id: reason for each in self._manifest.exercises if each.writes_files}

    def _reference_seconds(self, request: Request) -> float:
        """How long the reference takes for a request, in processor time."""
        if self._prepared.right is None:
            return 0.0
        started = time.process_time()
        self._prepared.right.call(request)
        return time.process_time() - started

    def _lock_problem(self, collected: Sequence[SuiteTest]) -> str | None:
        if not self._job.locked:
            return None
        expected = {test for test in self._prepared.locked if test.suite in self._job.suites}
        differ: set[LockedTest] = expected ^ {test.locked for test in collected}
        if not differ:
            return None
        return f"the suites are not those of tests.lock: {min(differ).id} is in one and not in the other; run `grader verify --lock {self._prepared.assignment.id}`"


@functools.cache
def environment() -> Mapping[str, str]:
    """Return what all judges of this process run on. To look a version up takes a while: a keeper does it once, for all of its judges."""
    return {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "pytest": version("pytest"),
        "platform": f"{platform.system()} {platform.machine()}",
    }


def _told(isolation: Isolation) -> IsolationInfo:
    return IsolationInfo(
        level=isolation.level,
        guarantees=isolation.guarantees,
        findings=list(isolation.findings),
        kernel=isolation.kernel,
        landlock_abi=isolation.landlock_abi,
    )


def _output(printed: Sequence[Output], kilobytes: int) -> OutputInfo:
    """What all workers printed, one after the other, up to what is kept of one; where more was printed it ends with a note."""
    text = b"".join(each.text for each in printed)
    kept = text[: kilobytes * 1024]
    truncated = len(kept) < len(text) or any(each.truncated for each in printed)
    note = f"\n[cut here: the limit is {kilobytes} KiB of output]\n" if truncated else ""
    return OutputInfo(text=kept.decode(errors="replace") + note, truncated=truncated)
