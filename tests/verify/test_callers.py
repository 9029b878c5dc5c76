"""In a kit too a mistake has its own name: what is wrong in a loop is not blamed on the draw that it calls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grader.course.assignment import load_assignment
from grader.course.lock import LockedTest
from grader.judge.catalogue import load_catalogue
from grader.judge.diagnose import Recorded, patched
from grader.judge.fingerprints import FingerprintDiagnosis, read_fingerprints
from grader.judge.trial import Trial
from grader.model.verdict import Status, Suite, Tier
from grader.verify.subjects import Role, Subject
from tests.conftest import ROOT
from tests.verify.heard import heard_from, reference_of

PARTS = ("temperature_probs", "top_k_filter", "top_p_filter")


@pytest.mark.parametrize(
    "exercises",
    [
        ["generation.generate", "generation.generate_cached"],
        pytest.param(["generation.sample_next", "generation.prompt_grid"], marks=pytest.mark.slow),
        pytest.param([f"generation.{each}" for each in PARTS], marks=pytest.mark.slow),
    ],
    ids=["loops", "draws", "parts"],
)
def test_what_goes_wrong_in_generation_is_named_as_itself(exercises: list[str]) -> None:
    loaded, sources = load_assignment(ROOT / "assignments" / "generation"), reference_of("generation")
    known = load_catalogue(loaded.misconceptions, loaded.manifest).of_exercises(exercises)
    kit = FingerprintDiagnosis(read_fingerprints(loaded.fingerprints), loaded.manifest)
    given = loaded.manifest.given_names
    mistaken = [Subject(Role.MISCONCEPTION, each.id, patched(sources, [each], given), each) for each in known]
    heard = heard_from("generation", mistaken, lambda test: test.suite is Suite.VISIBLE)
    others = {}
    for mistake in known:
        found = [(test, trial) for test, trial in heard[mistake.id] if test.exercise == mistake.exercise]
        # By all tests or, where nothing fits, by the core tests, as it is done for a student.
        named = name(kit, mistake.exercise, found, list(Tier)) or name(kit, mistake.exercise, found, [Tier.CORE])
        if named not in {None, mistake.id}:
            others[mistake.id] = named
    assert others == {}


def name(
    kit: FingerprintDiagnosis, exercise: str, found: Sequence[tuple[LockedTest, Trial]], tiers: Sequence[Tier]
) -> str | None:
    trials = [trial for test, trial in found if test.tier in tiers]
    calls = [Recorded(call, each.tolerance) for each in trials for call in each.calls]
    if all(trial.status is Status.PASSED for trial in trials):
        return None
    finding = kit.name(exercise, calls)
    return finding.misconceptions[0].id if finding else None
