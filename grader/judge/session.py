"""A judge's session: open a sandbox, run the suites on the submission, name the mistakes."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from grader.course.assignment import Assignment, load_assignment
from grader.course.lock import LockedTest
from grader.course.worksheet import load_worksheet
from grader.judge.callers import Callers
from grader.judge.collect import run_pytest
from grader.judge.diagnose import patched
from grader.judge.direct import merged, namespaces_of
from grader.judge.harvest import disagreement
from grader.judge.job import Job
from grader.judge.memory import limit_own_memory
from grader.judge.naming import name_mistakes
from grader.judge.plugin import JudgePlugin
from grader.judge.record import Request
from grader.judge.room import refuse_a_small_room
from grader.judge.sheet import Sheet
from grader.judge.single import Single
from grader.judge.sources import materials_of, sources_of
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench
from grader.model.errors import CourseError, GraderError
from grader.model.evidence import Evidence, Flag, IsolationInfo, OutputInfo
from grader.sandbox.base import Isolation, Level, Output, Profile
from grader.sandbox.registry import BACKENDS


def judge(job: Job, *, alone: bool = False) -> Evidence:
    """Judge a submission; whatever goes wrong on our side becomes the `problem` of the evidence.

    Args:
        job: What to judge.
        alone: Whether this process does nothing else, so that its memory may be limited.
    """
    name = Path(job.assignment).name
    try:
        refuse_a_small_room()
        session = _Session(job, load_assignment(job.assignment))
        if alone:
            limit_own_memory(session.limits)
        return session.run()
    except GraderError as error:
        return Evidence(assignment=name, problem=str(error), course_fault=isinstance(error, CourseError))
    except (OSError, MemoryError, RuntimeError) as error:
        return Evidence(assignment=name, problem=f"the judge could not go on: {type(error).__name__}: {error}")


class _Session:
    def __init__(self, job: Job, assignment: Assignment) -> None:
        self._job = job
        self._assignment = assignment
        self._manifest = assignment.manifest
        self.limits = assignment.manifest.limits
        # A kit has no reference: its visible tests do without, and so does everything here.
        modules = [assignment.reference(module) for module in self._manifest.modules]
        self._sources = sources_of(assignment) if all(path.is_file() for path in modules) else []
        self._right = patched(self._sources, (), self._manifest.given_names) if self._sources else None
        self._questions = load_worksheet(assignment)

    def run(self) -> Evidence:
        started = time.perf_counter()
        profile = Profile(tuple(self._manifest.allowed_imports), self._manifest.limits)
        with BACKENDS[Level(self._job.backend)].open(profile) as sandbox:
            files = self._job.files | materials_of(self._assignment)
            wants = (sandbox, files, self._manifest, self._right, self._reference_seconds)
            questions = [found for found, _, _ in self._questions.asked()] if self._questions else []
            with Callers(*wants, student=self._job.student, refused=self._job.refused, questions=questions) as callers:
                return self._judged(callers, sandbox.isolation, started)

    def _judged(self, callers: Callers, isolation: Isolation, started: float) -> Evidence:
        namespaces = namespaces_of(self._sources)
        bench = Bench(
            merged(namespaces, self._manifest.given_names) if namespaces else None,
            self._right,
            [exercise.id for exercise in self._manifest.exercises],
            self._manifest.limits.calls,
            self._manifest.given_names,
            sheet=Sheet(self._questions, self._assignment.id, callers.own.owner) if self._questions else None,
        )
        single = Single(bench, callers, self._manifest, self._job.seeds, self._wanted())
        plugin = JudgePlugin(self._manifest, single)
        opened = time.perf_counter() - started
        run_pytest(self._assignment, self._job.suites, plugin)
        callers.close()
        stale = self._lock_problem(plugin.collected)
        torn = disagreement(plugin.report, single.evidence, [test.id for test in plugin.selected])
        tests = [single.evidence[test.id] for test in plugin.selected if test.id in single.evidence]
        return Evidence(
            assignment=self._assignment.id,
            tests=tests,
            diagnoses=name_mistakes(self._assignment, self._sources, single),
            flags=[Flag(file=flag.file, line=flag.line, name=flag.name) for flag in callers.own.flags],
            output=_output(callers.printed, self._manifest.limits.output_kb),
            isolation=IsolationInfo(
                level=isolation.level,
                guarantees=isolation.guarantees,
                findings=list(isolation.findings),
                kernel=isolation.kernel,
                landlock_abi=isolation.landlock_abi,
            ),
            environment={
                "python": platform.python_version(),
                "numpy": version("numpy"),
                "pytest": version("pytest"),
                "platform": f"{platform.system()} {platform.machine()}",
            },
            problem=stale or (str(callers.fault) if callers.fault else torn),
            course_fault=stale is not None or isinstance(callers.fault, CourseError),
            wall_overrun=callers.overrun,
            worker_killed=callers.killed,
            timings={"sandbox": opened, "suite": time.perf_counter() - started - opened}
            | plugin.seconds
            | callers.used,
        )

    def _wanted(self) -> Callable[[SuiteTest], bool]:
        exercises = {
            need for exercise in self._job.exercises for need in (exercise, *self._manifest.prerequisites(exercise))
        }
        tests = set(self._job.tests)
        return lambda test: (not exercises or test.locked.exercise in exercises) and (not tests or test.id in tests)

    def _reference_seconds(self, request: Request) -> float:
        """How long the reference takes for a request, in processor time."""
        if self._right is None:
            return 0.0
        started = time.process_time()
        self._right.call(request)
        return time.process_time() - started

    def _lock_problem(self, collected: Sequence[SuiteTest]) -> str | None:
        if not self._job.locked:
            return None
        expected = {test for test in self._assignment.lock() if test.suite in self._job.suites}
        differ: set[LockedTest] = expected ^ {test.locked for test in collected}
        if not differ:
            return None
        return f"the suites are not those of tests.lock: {min(differ).id} is in one and not in the other; run `grader verify --lock {self._assignment.id}`"


def _output(printed: Sequence[Output], kilobytes: int) -> OutputInfo:
    """What all workers printed, one after the other, up to what is kept of one; where more was printed it ends with a note."""
    text = b"".join(each.text for each in printed)
    kept = text[: kilobytes * 1024]
    truncated = len(kept) < len(text) or any(each.truncated for each in printed)
    note = f"\n[cut here: the limit is {kilobytes} KiB of output]\n" if truncated else ""
    return OutputInfo(text=kept.decode(errors="replace") + note, truncated=truncated)
