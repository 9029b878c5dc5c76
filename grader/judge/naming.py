"""Name the mistakes of a submission, exercise by exercise, from the calls that its tests made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.course.assignment import Assignment
from grader.judge.apart import by_edge
from grader.judge.catalogue import load_catalogue
from grader.judge.diagnose import Diagnosing, Diagnostician, Finding
from grader.judge.direct import Source
from grader.judge.fingerprints import FingerprintDiagnosis, read_fingerprints
from grader.judge.questions import by_question
from grader.judge.single import Heard, Single
from grader.model.evidence import Diagnosis, Explanation
from grader.model.manifest import Manifest
from grader.model.verdict import Status, Tier, question_name
from grader.testing.catalogue import Explained


def name_mistakes(manifest: Manifest, names: Callable[[], Diagnosing], single: Single) -> list[Diagnosis]:
    """Return a diagnosis for each exercise whose failure has a name; for each mistake, where several show apart.

    Several do on a worksheet, question by question, and in edge tests that no one mistake explains.

    Args:
        manifest: The assignment's.
        names: Gives what names mistakes; asked only where there are some.
        single: What the tests found, and the calls they made.

    Raises:
        CourseError: The catalogue or the fingerprints cannot be read.
    """
    failed = [exercise.id for exercise in manifest.exercises if _has_failed(exercise.id, single)]
    if not failed:
        return []
    diagnosing = names()
    found: list[Diagnosis] = []
    for exercise in failed:
        known = [name for diagnosis in found for name in diagnosis.misconceptions]
        if manifest.exercise(exercise).is_worksheet:
            named = by_question(diagnosing, exercise, single.heard.get(exercise, []))
            found += [_told(exercise, finding, tests) for finding, tests in named]
        else:
            heard = single.heard.get(exercise, [])
            one = _finding(diagnosing, exercise, heard, known)
            findings = [one] if one else by_edge(diagnosing, manifest, exercise, heard, known)
            found += [_told(exercise, finding) for finding in findings]
    return found


def _has_failed(exercise: str, single: Single) -> bool:
    """Whether an exercise has a mistake of its own: one that is right once what it needs is right has none."""
    found = [test for test in single.evidence.values() if test.exercise == exercise]
    if any(test.tier is Tier.QUESTION for test in found):
        return any(test.status is Status.FAILED for test in found)
    # Where an exercise was carried, only what was seen then counts.
    told = [test.carried for test in found if test.carried] or found
    statuses = {each.status for each in told}
    # Too much memory is a mistake with a name too: the matrix that was to be done without.
    return bool({Status.FAILED, Status.MEMORY} & statuses) and Status.NOT_IMPLEMENTED not in statuses


def diagnosing(assignment: Assignment, sources: Sequence[Source]) -> Diagnosing:
    """Return what names mistakes: the catalogue or, in a kit, fingerprints of it.

    Args:
        assignment: The assignment.
        sources: The reference; empty in a kit.

    Raises:
        CourseError: The catalogue or the fingerprints cannot be read.
    """
    if sources and assignment.misconceptions.exists():
        return Diagnostician(
            sources, load_catalogue(assignment.misconceptions, assignment.manifest), assignment.manifest
        )
    return FingerprintDiagnosis(read_fingerprints(assignment.fingerprints), assignment.manifest)


def _finding(diagnosing: Diagnosing, exercise: str, heard: Sequence[Heard], named: Sequence[str]) -> Finding | None:
    """Name the mistake behind all calls of an exercise or, where none fits, behind those of its core tests.

    A submission with one wrong idea often also lacks a check that an edge test asks for: that must not
    leave the idea without its name.
    """
    for calls in (heard, [each for each in heard if each.tier is Tier.CORE]):
        # Failed calls first: they rule out most candidates at once.
        ordered = [each.recorded for each in sorted(calls, key=lambda each: not each.failed)]
        if any(each.failed for each in calls) and (finding := diagnosing.name(exercise, ordered, named)) is not None:
            return finding
    return None


def _told(exercise: str, finding: Finding, tests: Sequence[str] = ()) -> Diagnosis:
    return Diagnosis(
        exercise=exercise,
        misconceptions=[each.id for each in finding.misconceptions],
        en=[_explanation(each.en) for each in finding.misconceptions],
        zh_tw=[_explanation(each.zh_tw) for each in finding.misconceptions],
        calls=finding.calls,
        separating=finding.separating,
        questions=list(dict.fromkeys(map(question_name, tests))),
    )


def _explanation(explained: Explained) -> Explanation:
    return Explanation(name=explained.name, why=explained.why, hint=explained.hint)
