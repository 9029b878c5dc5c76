"""Run the visible tests on the student's own files."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.kit.place import Place, definitions, places
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
    """

    exercise: str
    tests: list[TestEvidence]
    diagnoses: list[Diagnosis]
    places: dict[str, list[Place]] = field(default_factory=dict)

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


def check(assignment: Assignment, exercises: list[str], folder: Path) -> Iterator[Checked]:
    """Run the visible tests of an assignment on the files in `folder`.

    Raises:
        GraderError: Something on our side went wrong.
    """
    manifest = assignment.manifest
    taken = {name: (folder / name).read_bytes() for name in manifest.taken if (folder / name).is_file()}
    files = {name: content for name, content in taken.items() if name in manifest.files}
    job = Job(
        assignment=assignment.folder,
        files={name: base64.b64encode(content) for name, content in files.items()},
        artifacts={name: base64.b64encode(content) for name, content in taken.items() if name not in files},
        suites=[Suite.VISIBLE],
        exercises=exercises,
        locked=False,
        # A student's own code on the student's own machine: nothing is at stake that a sandbox would keep.
        backend=Level.NONE,
    )
    evidence = run_suite(job, assignment)
    if evidence.problem is not None:
        raise GraderError(evidence.problem)
    visible = assignment.suite(Suite.VISIBLE).glob("test_*.py")
    lines = {f"{Suite.VISIBLE}/{path.name}": dict(definitions(path.read_bytes())) for path in visible}
    for exercise in manifest.exercises:
        if not exercises or exercise.id in exercises:
            checked = _checked(exercise.id, evidence, lines)
            yield replace(checked, places={root: places(manifest.exercise(root), files) for root in checked.roots})


def _checked(exercise: str, evidence: Evidence, lines: Mapping[str, Mapping[str, int]]) -> Checked:
    def as_written(test: TestEvidence) -> tuple[str, int, str]:
        file, _, name = test.id.partition("::")
        return file, lines.get(file, {}).get(name.partition("[")[0], 0), name

    # A suite opens with the idea itself: what failed there tells more than the name that comes first in the alphabet.
    tests = sorted((test for test in evidence.tests if test.exercise == exercise), key=as_written)
    return Checked(exercise, tests, [d for d in evidence.diagnoses if d.exercise == exercise])
