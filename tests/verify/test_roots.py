"""A mistake in a part is named in the part, also where another exercise fails because it calls the part."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.judge.diagnose import Recorded
from grader.judge.direct import DirectCaller, Source, namespaces_of
from grader.judge.fingerprints import FingerprintDiagnosis, read_fingerprints
from grader.judge.sources import material_sources
from grader.model.verdict import Status, Suite
from grader.verify.subjects import Role, Subject
from tests.conftest import ROOT
from tests.verify.heard import heard_from

TURN = "np.stack([x0 * cos - x1 * sin, x0 * sin + x1 * cos], axis=-1)"
FREQUENCIES = "base ** (-np.arange(0, d_head, 2) / d_head)"
PAIRS = "np.reshape(x, (*shape[:-1], len(frequencies), 2))"
HEADS = "x.view(B, T, n_head, d // n_head).transpose(1, 2)"
OWN_HEADS = "split_heads(p, self.n_head) for p"

# The assignment, the line of its reference that is written in another way, and what a kit says of each exercise then.
WRONG = [
    ("positions", TURN, "np.stack([x0 * cos + x1 * sin, x1 * cos - x0 * sin], axis=-1)", "rotate_2d/clockwise", "rope"),
    ("positions", TURN, "np.stack([x0 * cos + x1 * sin, x0 * sin + x1 * cos], axis=-1)", "rotate_2d/minus-missing", "rope"),
    ("positions", TURN, "np.stack([x0 * sin - x1 * cos, x0 * cos + x1 * sin], axis=-1)", "rotate_2d/sine-cosine-swapped", "rope"),
    ("positions", TURN, f"{TURN}.astype(np.float32)", "rotate_2d/always-float32", "rope"),
    ("positions", FREQUENCIES, "base ** (np.arange(0, d_head, 2) / d_head)", "rope_frequencies/growing", "sinusoidal rope"),
    ("positions", FREQUENCIES, "base ** (-np.arange(d_head // 2) / d_head)", "rope_frequencies/exponent-halved", "sinusoidal rope"),
    ("positions", PAIRS, "np.stack(np.split(np.asarray(x), 2, axis=-1), axis=-1)", "rope/taken-in-halves", "relative"),
    ("layers", HEADS, "x.reshape(B, n_head, T, d // n_head)", "split_heads/view", "causalselfattention"),
    ("layers", HEADS, "x.view(B, T, n_head, d // n_head)", "split_heads/not-swapped", "causalselfattention"),
]  # fmt: skip


def named(folder: Path, assignment: str, line: str, instead: str) -> dict[str, str | None]:
    """Return what a kit says of each exercise that fails when one line of the reference is another."""
    loaded = load_assignment(ROOT / "assignments" / assignment)
    text = loaded.reference(assignment).read_text("utf-8")
    assert text.count(line) == 1
    path = folder / f"{assignment}.py"
    path.write_text(text.replace(line, instead), "utf-8")
    namespaces = namespaces_of([Source(path), *material_sources(loaded)])
    whole = Subject(Role.RIGHT, "whole", DirectCaller(*namespaces, given=loaded.manifest.given_names))
    found = heard_from(assignment, [whole], lambda test: test.suite is Suite.VISIBLE)["whole"]
    kit = FingerprintDiagnosis(read_fingerprints(loaded.fingerprints), loaded.manifest)
    told: dict[str, str | None] = {}
    for exercise in loaded.manifest.exercises:
        trials = [trial for test, trial in found if test.exercise == exercise.id]
        if any(trial.status is not Status.PASSED for trial in trials):
            calls = [Recorded(call, trial.tolerance) for trial in trials for call in trial.calls]
            finding = kit.name(exercise.id, calls, [name for name in told.values() if name])
            told[exercise.id] = finding.misconceptions[0].id if finding else None
    return told


@pytest.mark.parametrize(("assignment", "line", "instead", "mistake", "users"), WRONG)
def test_what_calls_a_wrong_part_fails_with_the_mistake_of_the_part(
    tmp_path: Path, assignment: str, line: str, instead: str, mistake: str, users: str
) -> None:
    told = named(tmp_path, assignment, line, instead)
    part = f"{assignment}.{mistake.partition('/')[0]}"
    expected = [part, *(f"{assignment}.{user}" for user in users.split())]
    assert {each: told.get(each) for each in expected} == dict.fromkeys(expected, f"{assignment}.{mistake}")


def test_a_part_that_is_right_is_not_named_where_another_does_its_work_wrongly(tmp_path: Path) -> None:
    own = "p.view(len(p), -1, self.n_head, p.shape[2] // self.n_head) for p"
    told = named(tmp_path, "layers", OWN_HEADS, own)
    assert told["layers.causalselfattention"] == "layers.causalselfattention/not-swapped"
    assert "layers.split_heads" not in told


def test_what_else_lies_in_a_state_is_told_by_what_it_is_and_not_by_its_name(tmp_path: Path) -> None:
    made = "self.n_head = config.n_head"
    for more, slug in (
        ("self.register_buffer('lower', torch.ones(config.block_size, 1, dtype=torch.bool))", "mask-in-the-state"),
        ("self.stretch = nn.Parameter(torch.ones(3))", "parameter-left-over"),
    ):
        told = named(tmp_path, "layers", made, f"{made}; {more}")
        assert told == {"layers.causalselfattention": f"layers.causalselfattention/{slug}"}
