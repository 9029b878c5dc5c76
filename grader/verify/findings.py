"""Turn the matrix into what holds and what does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

from grader.course.lock import LockedTest
from grader.judge.diagnose import Diagnostician
from grader.model.manifest import Manifest
from grader.model.verdict import Status, Suite, Tier
from grader.score.rubric import counting, exercise_status, share
from grader.testing.catalogue import Catalogue
from grader.verify.matrix import Row, heard, named
from grader.verify.result import Mistake
from grader.verify.subjects import Role


def mistakes(rows: Sequence[Row], tests: Sequence[LockedTest], diagnostician: Diagnostician) -> Iterator[Mistake]:
    """Say of every misconception and variant what catches it in every round, and what it is named as in any."""
    hidden = [test.id for test in tests if test.suite is Suite.HIDDEN]
    _learn(rows, diagnostician)
    for row in rows:
        if (misconception := row.subject.misconception) is not None:
            caught = [test for test in hidden if all(_failed(round_, test) for round_ in row.statuses.values())]
            names = {name for number in row.statuses for name in named(diagnostician, row, number)}
            yield Mistake(
                misconception.id,
                row.subject.name,
                misconception.exercise,
                row.subject.role is Role.VARIANT,
                caught,
                sorted(names),
            )


def wrong_runs(rows: Sequence[Row], tests: Sequence[LockedTest]) -> Iterator[Mistake]:
    """Say of every wrong run what catches it; it is named where a test says what it must say."""
    hidden = [test.id for test in tests if test.suite is Suite.HIDDEN]
    for row in rows:
        if (wrong := row.subject.wrong_run) is not None:
            caught = [test for test in hidden if all(_failed(round_, test) for round_ in row.statuses.values())]
            said = any(wrong.says in row.messages[test] for test in caught)
            yield Mistake(wrong.id, wrong.id, wrong.exercise, False, caught, [wrong.id] if said else [])


def _learn(rows: Sequence[Row], diagnostician: Diagnostician) -> None:
    """Take what misconceptions gave as what they give; in the first round they are asked again, so that it shows where that differs."""
    for row in rows:
        if row.subject.role is Role.MISCONCEPTION and row.subject.misconception is not None:
            for number in [*row.calls][1:]:
                diagnostician.learn(row.subject.misconception, heard(row, number))


def _failed(statuses: Mapping[str, Status], test: str) -> bool:
    return statuses.get(test, Status.PASSED) is not Status.PASSED


def surprises(rows: Sequence[Row]) -> Iterator[str]:
    """Tell which right answers lost a point, and on which test and seed."""
    for row in rows:
        if row.surprise is not None:
            number, test, message = row.surprise
            yield f"{row.subject.name} is right, but fails {test} with seed {number}: {message}"


def template_problems(rows: Sequence[Row], tests: Sequence[LockedTest], manifest: Manifest) -> Iterator[str]:
    """Tell where the bare template is anything but unimplemented."""
    statuses = next(row.statuses[0] for row in rows if row.subject.role is Role.TEMPLATE)
    for exercise in manifest.exercises:
        expected = counting(tests, exercise.id)
        status = exercise_status(expected, statuses)
        earned = share(expected, {test: status is Status.PASSED for test, status in statuses.items()})
        if earned or status is not Status.NOT_IMPLEMENTED:
            yield f"the bare template should be not_implemented in {exercise.id}, but is {status} and earns {float(earned):.0%}"


def survivors(found: Sequence[Mistake]) -> Iterator[str]:
    """Tell which mistakes lose no points."""
    for mistake in found:
        if not mistake.caught_by:
            yield f"{mistake.label} survives: no hidden test of {mistake.exercise} catches it on every seed"


def misnamed(found: Sequence[Mistake], catalogue: Catalogue) -> Iterator[str]:
    """Tell which mistakes are named as another one, or not at all."""
    allowed = {
        m.id: {m.id, *m.equivalent} | {other.id for other in catalogue.misconceptions if m.id in other.equivalent}
        for m in catalogue.misconceptions
    }
    for mistake in found:
        if mistake.id not in mistake.named:
            yield f"{mistake.label} is not named as itself" + (
                f", but as {', '.join(mistake.named)}" if mistake.named else ""
            )
        if others := sorted(set(mistake.named) - allowed.get(mistake.id, {mistake.id})):
            yield f"{mistake.label} is also named as {', '.join(others)}: declare them equivalent, or find a test that tells them apart"


def without_variant(catalogue: Catalogue) -> Iterator[str]:
    """Tell which misconceptions lack an independent second variant."""
    have = {variant.of for variant in catalogue.variants}
    yield from (f"{m.id} has no second variant" for m in catalogue.misconceptions if m.id not in have)


def untested(manifest: Manifest, tests: Sequence[LockedTest]) -> Iterator[str]:
    """Tell which exercises could not earn a point, or not as their kind does: a worksheet asks, all others have core tests."""
    for exercise in manifest.exercises:
        tiers = {test.tier for test in counting(tests, exercise.id)}
        if exercise.is_worksheet and tiers != {Tier.QUESTION}:
            yield f"{exercise.id} is a worksheet: each of its hidden tests must be marked question, and there must be some"
        if not exercise.is_worksheet and Tier.QUESTION in tiers:
            yield f"{exercise.id} is no worksheet, but a hidden test of it is marked question"
        if not exercise.is_worksheet and Tier.CORE not in tiers:
            yield f"{exercise.id} has no hidden core test"


def unproven(manifest: Manifest, catalogue: Catalogue) -> Iterator[str]:
    """Tell which exercises have no misconception: nothing shows that their tests can fail."""
    have = {found.exercise for found in catalogue.misconceptions} | {run.exercise for run in catalogue.wrong_runs}
    yield from (
        f"{exercise.id} has no misconception: nothing shows that its tests can fail"
        for exercise in manifest.exercises
        if exercise.id not in have
    )


def undefined(manifest: Manifest, namespaces: Sequence[ModuleType]) -> Iterator[str]:
    """Tell which names the manifest promises of a material that is without them."""
    modules = {namespace.__name__: namespace for namespace in namespaces}
    for material in manifest.materials:
        for name in material.names:
            if not callable(getattr(modules[material.module], name, None)):
                yield f"materials/{material.file} defines no function or class `{name}`, which the manifest names"


def idle_tests(found: Sequence[Mistake], tests: Sequence[LockedTest]) -> list[str]:
    """Return the hidden tests without which every mistake would still lose points: each catches nothing alone.

    A question is no such guard: it is asked for its own sake.
    """
    alone = {mistake.caught_by[0] for mistake in found if len(mistake.caught_by) == 1}
    guards = [test for test in tests if test.suite is Suite.HIDDEN and test.tier is not Tier.QUESTION]
    return [test.id for test in guards if test.id not in alone]
