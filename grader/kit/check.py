"""Run the visible tests on the student's own files."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from threading import Event

from grader.course.assignment import Assignment
from grader.course.place import Place, definitions, places
from grader.judge.job import Job
from grader.judge.run import RunSuite, run_suite
from grader.model.errors import GraderError, UsageError
from grader.model.evidence import Diagnosis, Evidence, TestEvidence
from grader.model.verdict import Status, Suite
from grader.sandbox.base import Level


@dataclass(frozen=True)
class Checked:
    """One exercise, checked.

    Args:
        exercise: Its id.
        tests: Its visible tests, in the order in which they are written.
        diagnoses: The mistakes that have a name: on a worksheet one for each wrong answer, else at most one.
        places: Where the exercises of the mistakes are written in the student's files, by exercise.
        files: The student's programs.
    """

    exercise: str
    tests: list[TestEvidence]
    diagnoses: list[Diagnosis]
    places: dict[str, list[Place]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def roots(self) -> list[str]:
        """The exercises in which the mistakes were made: this one, or some that it needs."""
        named = [name for diagnosis in self.diagnoses for name in diagnosis.misconceptions]
        return list(dict.fromkeys(name.partition("/")[0] for name in named))

    @property
    def passed(self) -> bool:
        """Whether every visible test of it did."""
        return bool(self.tests) and all(test.status is Status.PASSED for test in self.tests)


def choose(assignments: Sequence[Assignment], wanted: str | None) -> list[tuple[Assignment, list[str]]]:
    """Return the assignments to check, each with the exercises asked for (none: all).

    Args:
        assignments: All of the course.
        wanted: An exercise (`attention.softmax`), an assignment (`attention`), or None for all.

    Raises:
        UsageError: There is no such exercise or assignment.
    """
    if wanted is None:
        return [(assignment, []) for assignment in assignments]
    for assignment in assignments:
        if wanted == assignment.id:
            return [(assignment, [])]
        if wanted in (exercise.id for exercise in assignment.manifest.exercises):
            return [(assignment, [wanted])]
    known = [
        name
        for assignment in assignments
        for name in (assignment.id, *(exercise.id for exercise in assignment.manifest.exercises))
    ]
    close = get_close_matches(wanted, known, n=1)
    raise UsageError(
        f"no exercise or assignment {wanted!r}",
        hint=f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(known)}",
    )


def working_folder(here: Path, course: Path, assignment: Assignment) -> Path | None:
    """Return the folder with the student's files: where they stand, else the kit's `student_template`; None where there are none."""
    places = [here, course / "student_template"]
    return next(
        (place for place in places if any((place / name).is_file() for name in assignment.manifest.files)), None
    )


def check(
    assignment: Assignment, exercises: Sequence[str], folder: Path, *, verbose: bool = False
) -> Iterator[Checked]:
    """Run the visible tests of an assignment on the files in `folder`.

    Args:
        assignment: The assignment.
        exercises: Those asked for; all where empty.
        folder: Where the student's files lie.
        verbose: Whether messages hold the entries around the first that differs.

    Raises:
        GraderError: Something on our side went wrong.
    """
    found = examine(assignment, exercises, read_files(assignment, folder), verbose=verbose)
    yield from (checked for checked in found if not exercises or checked.exercise in exercises)


def read_files(assignment: Assignment, folder: Path) -> dict[str, bytes]:
    """Return what lies in a folder of the files that an assignment takes, by name."""
    return {name: (folder / name).read_bytes() for name in assignment.manifest.taken if (folder / name).is_file()}


def examine(  # noqa: PLR0913  # the last three are for whoever checks again and again
    assignment: Assignment,
    exercises: Sequence[str],
    taken: Mapping[str, bytes],
    *,
    settled: Sequence[str] = (),
    run: RunSuite = run_suite,
    stop: Event | None = None,
    verbose: bool = False,
) -> list[Checked]:
    """Run the visible tests of an assignment on a student's files; return what came of all that were run.

    Args:
        assignment: The assignment.
        exercises: Those asked for, which are run with those that they need; all where empty.
        taken: The files.
        settled: Exercises that others need, and that passed on the same code: they are not run again.
        run: What judges.
        stop: When set, there is no verdict.
        verbose: See `check`.

    Raises:
        GraderError: Something on our side went wrong.
        Stopped: `stop` was set.
    """
    manifest = assignment.manifest
    files = {name: content for name, content in taken.items() if name in manifest.files}
    job = Job(
        assignment=assignment.folder,
        files={name: base64.b64encode(content) for name, content in files.items()},
        artifacts={name: base64.b64encode(content) for name, content in taken.items() if name not in files},
        suites=[Suite.VISIBLE],
        exercises=list(exercises),
        settled=list(settled),
        locked=False,
        verbose=verbose,
        # A student's own code on the student's own machine: nothing is at stake that a sandbox would keep.
        backend=Level.NONE,
    )
    evidence = run(job, assignment, stop)
    if evidence.problem is not None:
        raise GraderError(evidence.problem)
    visible = assignment.suite(Suite.VISIBLE).glob("test_*.py")
    lines = {f"{Suite.VISIBLE}/{path.name}": dict(definitions(path.read_bytes())) for path in visible}
    ran = {test.exercise for test in evidence.tests} | set(exercises or [each.id for each in manifest.exercises])
    found = [_checked(each.id, evidence, lines) for each in manifest.exercises if each.id in ran]
    return [
        replace(checked, places={root: places(manifest.exercise(root), files) for root in checked.roots}, files=files)
        for checked in found
    ]


def _checked(exercise: str, evidence: Evidence, lines: Mapping[str, Mapping[str, int]]) -> Checked:
    def as_written(test: TestEvidence) -> tuple[str, int, str]:
        file, _, name = test.id.partition("::")
        return file, lines.get(file, {}).get(name.partition("[")[0], 0), name

    # A suite opens with the idea itself: what failed there tells more than the name that comes first in the alphabet.
    tests = sorted((test for test in evidence.tests if test.exercise == exercise), key=as_written)
    return Checked(exercise, tests, [d for d in evidence.diagnoses if d.exercise == exercise])
