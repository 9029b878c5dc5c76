"""Run the visible tests on the student's own files."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

from grader.course.assignment import Assignment
from grader.course.place import calls_of, definitions, places
from grader.judge.job import Job
from grader.judge.run import RunSuite, run_suite
from grader.kit.checked import Checked
from grader.model.errors import GraderError
from grader.model.evidence import Evidence, TestEvidence
from grader.model.verdict import Suite, Tier
from grader.sandbox.base import Level


def working_folder(here: Path, course: Path, assignment: Assignment) -> Path | None:
    """Return the folder with the student's files: where they stand, else the kit's `student_template`; None where there are none."""
    places = [here, course / "student_template"]
    return next(
        (place for place in places if any((place / name).is_file() for name in assignment.manifest.files)), None
    )


def check(
    assignment: Assignment, exercises: Sequence[str], folder: Path, *, language: str = "en", verbose: bool = False
) -> Iterator[Checked]:
    """Run the visible tests of an assignment on the files in `folder`.

    Args:
        assignment: The assignment.
        exercises: Those asked for; all where empty.
        folder: Where the student's files lie.
        language: The language of messages, `en` or `zh-TW`.
        verbose: Whether messages hold the entries around the first that differs.

    Raises:
        GraderError: Something on our side went wrong.
    """
    found = examine(assignment, exercises, read_files(assignment, folder), language=language, verbose=verbose)
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
    language: str = "en",
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
        language: See `check`.
        verbose: Likewise.

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
        language=language,
        verbose=verbose,
        # A student's own code on the student's own machine: nothing is at stake that a sandbox would keep.
        backend=Level.NONE,
    )
    evidence = run(job, assignment, stop)
    if evidence.problem is not None:
        raise GraderError(evidence.problem)
    suite = {
        f"{Suite.VISIBLE}/{path.name}": path.read_bytes() for path in assignment.suite(Suite.VISIBLE).glob("test_*.py")
    }
    lines = {name: dict(definitions(source)) for name, source in suite.items()}
    ran = {test.exercise for test in evidence.tests} | set(exercises or [each.id for each in manifest.exercises])
    found = [_checked(each.id, evidence, lines) for each in manifest.exercises if each.id in ran]
    failing = {each.exercise for each in found if not each.passed}
    return [
        replace(
            checked,
            places={root: places(manifest.exercise(root), files) for root in checked.roots},
            files=files,
            worth=manifest.exercise(checked.exercise).points,
            compared=frozenset(test.id for test in checked.tests if _compares(test, suite)),
            unmet=_unmet(checked, manifest.prerequisites(checked.exercise), failing),
            printed=evidence.output.text,
        )
        for checked in found
    ]


def _unmet(checked: Checked, needs: Sequence[str], failing: set[str]) -> str:
    """What is to be mended before an exercise that failed, and whose mistake has no name: the first that it needs and that fails too."""
    if checked.passed or checked.diagnoses or checked.status.comes_before_tests:
        return ""
    return next((each for each in needs if each in failing), "")


def _compares(test: TestEvidence, suite: Mapping[str, bytes]) -> bool:
    """Whether a test of a worksheet compares an answer, and does not look at its form alone."""
    if test.tier is not Tier.QUESTION:
        return False
    file, _, name = test.id.partition("::")
    return "assert_answer" in calls_of(suite.get(file, b""), name.partition("[")[0])


def _checked(exercise: str, evidence: Evidence, lines: Mapping[str, Mapping[str, int]]) -> Checked:
    def as_written(test: TestEvidence) -> tuple[str, int, str]:
        file, _, name = test.id.partition("::")
        return file, lines.get(file, {}).get(name.partition("[")[0], 0), name

    # A suite opens with the idea itself: what failed there tells more than the name that comes first in the alphabet.
    tests = sorted((test for test in evidence.tests if test.exercise == exercise), key=as_written)
    return Checked(exercise, tests, [d for d in evidence.diagnoses if d.exercise == exercise])
