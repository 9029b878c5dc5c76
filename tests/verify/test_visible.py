"""The visible suites alone catch most of the catalogue, so that what a student checks at home is worth the evening."""

from __future__ import annotations

import pytest

from grader.course.assignment import load_assignment
from grader.judge.catalogue import load_catalogue
from grader.judge.diagnose import patched
from grader.model.verdict import Status, Suite
from grader.verify.subjects import Role, Subject
from tests.conftest import ROOT
from tests.verify.heard import heard_from, reference_of


# Those in NumPy are held to more in test_kits.
@pytest.mark.slow
@pytest.mark.parametrize("assignment", ["layers", "gpt2", "training", "generation", "interpret"])
def test_at_least_half_of_the_mistakes_fail_a_visible_test(assignment: str) -> None:
    loaded, sources = load_assignment(ROOT / "assignments" / assignment), reference_of(assignment)
    known = load_catalogue(loaded.misconceptions, loaded.manifest).misconceptions
    given = loaded.manifest.given_names
    mistaken = [Subject(Role.MISCONCEPTION, each.id, patched(sources, [each], given), each) for each in known]
    heard = heard_from(assignment, mistaken, lambda test: test.suite is Suite.VISIBLE)
    caught = [name for name, found in heard.items() if any(trial.status is not Status.PASSED for _, trial in found)]
    assert len(caught) >= len(known) / 2
