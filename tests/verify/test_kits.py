"""What a student's kit says of each mistake of the catalogue, from fingerprints alone."""

from __future__ import annotations

import pytest

from grader.course.assignment import load_assignment
from grader.course.lock import LockedTest
from grader.judge.catalogue import load_catalogue
from grader.judge.diagnose import Recorded, patched
from grader.judge.fingerprints import FingerprintDiagnosis, read_fingerprints
from grader.judge.trial import Trial
from grader.model.verdict import Status, Suite
from grader.testing.catalogue import Misconception
from grader.verify.subjects import Role, Subject
from tests.conftest import ROOT
from tests.verify.heard import ASSIGNMENTS, heard_from, reference_of

# Right numbers that are no ints: a fingerprint keeps the numbers alone, and what is wrong is said by the test that fails.
FLOATS = [
    f"shapes.{exercise}/float"
    for exercise in ("attention_memory", "attention_shapes", "forward_flops", "parameter_count")
]


def failed(trial: Trial) -> bool:
    return trial.status is not Status.PASSED


def only_raises(found: list[tuple[LockedTest, Trial]]) -> bool:
    """Whether a mistake returns nothing in the tests that it fails: then no more is known than that it raises."""
    return all(call.outcome.raised for _, trial in found if failed(trial) for call in trial.calls)


# Whose models take a while.
IN_TORCH = [pytest.param(assignment, marks=pytest.mark.slow) for assignment in ("gpt2", "training")]


@pytest.mark.parametrize("assignment", [*ASSIGNMENTS, *IN_TORCH])
def test_every_mistake_that_a_visible_test_catches_is_named_as_itself(assignment: str) -> None:
    loaded, sources = load_assignment(ROOT / "assignments" / assignment), reference_of(assignment)
    catalogue: dict[str, Misconception] = {
        each.id: each for each in load_catalogue(loaded.misconceptions, loaded.manifest).misconceptions
    }
    given = loaded.manifest.given_names
    mistaken = [
        Subject(Role.MISCONCEPTION, name, patched(sources, [each], given), each) for name, each in catalogue.items()
    ]
    kit = FingerprintDiagnosis(read_fingerprints(loaded.fingerprints), loaded.manifest)
    heard = heard_from(assignment, mistaken, lambda test: test.suite is Suite.VISIBLE)
    caught = [name for name, found in heard.items() if any(failed(trial) for _, trial in found)]
    # The visible tests know the answers to some questions of a worksheet only: the others' numbers are each student's own.
    sheet = loaded.manifest.worksheet
    in_code = {name for name, each in catalogue.items() if sheet is None or each.exercise != sheet.id}
    assert len(in_code & set(caught)) > 0.9 * len(in_code)
    wrong = {}
    for name in caught:
        calls = [Recorded(call, trial.tolerance) for _, trial in heard[name] for call in trial.calls]
        finding = kit.name(catalogue[name].exercise, calls)
        told = finding.misconceptions[0].id if finding else None
        alike = {name, *catalogue[name].equivalent} | {
            other for other in catalogue if name in catalogue[other].equivalent
        }
        if told not in alike and not (told is None and only_raises(heard[name])):
            wrong[name] = told
    assert wrong == {name: None for name in FLOATS if name.startswith(f"{assignment}.")}
