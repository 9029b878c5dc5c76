"""A right answer has no mistake, whoever asks: not even if every test that it passed is taken to have failed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from grader.course.assignment import load_assignment
from grader.course.lock import LockedTest
from grader.judge.catalogue import load_catalogue
from grader.judge.diagnose import Diagnostician, Recorded
from grader.judge.fingerprints import FingerprintDiagnosis, read_fingerprints
from grader.judge.trial import Trial
from grader.model.verdict import Status, Suite
from grader.testing.catalogue import Catalogue
from grader.verify.subjects import subjects
from tests.conftest import ROOT
from tests.verify.heard import ASSIGNMENTS, heard_from, reference_of


@cache
def heard(assignment: str) -> dict[str, list[tuple[LockedTest, Trial]]]:
    loaded = load_assignment(ROOT / "assignments" / assignment)
    everyone = subjects(loaded, reference_of(assignment), Catalogue())
    return heard_from(assignment, [each for each in everyone if each.name.startswith("right_answers/")])


def calls(assignment: str, suite: Suite) -> Iterator[tuple[str, str, list[Recorded]]]:
    """Yield each right answer's calls, exercise by exercise."""
    for answer, found in heard(assignment).items():
        for exercise in dict.fromkeys(test.exercise for test, _ in found):
            told = [trial for test, trial in found if (test.exercise, test.suite) == (exercise, suite)]
            assert {trial.status for trial in told} == {Status.PASSED}, (answer, exercise)
            yield answer, exercise, [Recorded(call, trial.tolerance) for trial in told for call in trial.calls]


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_there_are_at_least_eight_right_answers(assignment: str) -> None:
    assert len(heard(assignment)) >= 8


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_no_mistake_fits_what_a_right_answer_did_in_the_hidden_tests(assignment: str) -> None:
    loaded = load_assignment(ROOT / "assignments" / assignment)
    catalogue = load_catalogue(loaded.misconceptions, loaded.manifest)
    diagnostician = Diagnostician(reference_of(assignment), catalogue, loaded.manifest)
    named = {
        (answer, exercise): [each.misconceptions[0].id for each in diagnostician.singles(exercise, recorded)]
        for answer, exercise, recorded in calls(assignment, Suite.HIDDEN)
    }
    assert {place: names for place, names in named.items() if names} == {}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_kit_names_nothing_on_a_right_answer_either(assignment: str) -> None:
    loaded = load_assignment(ROOT / "assignments" / assignment)
    kit = FingerprintDiagnosis(read_fingerprints(loaded.fingerprints), loaded.manifest)
    named = {
        (answer, exercise): kit.name(exercise, recorded)
        for answer, exercise, recorded in calls(assignment, Suite.VISIBLE)
    }
    assert {place: finding for place, finding in named.items() if finding} == {}
