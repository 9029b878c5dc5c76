"""Name the mistake: find the misconception that reproduces everything the submission did.

No source is read and nothing is guessed: a misconception is named when it gives the same results as the
submission on every recorded call, and at least one of them is far from what the reference gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Protocol

from grader.judge.direct import DirectCaller, Patch, Source, namespaces_of
from grader.judge.once import Once
from grader.judge.record import Call, Outcome
from grader.judge.same import same_kinds, same_outcome
from grader.model.manifest import Manifest
from grader.testing.catalogue import Catalogue, Misconception
from grader.testing.tolerance import Tolerance

SEPARATION = 100.0


@dataclass(frozen=True)
class Recorded:
    """A call of a test, and the tolerance that the test used."""

    call: Call
    tolerance: Tolerance


@dataclass(frozen=True)
class Finding:
    """One misconception, or two at once; the calls that it reproduces, and those far from the reference."""

    misconceptions: tuple[Misconception, ...]
    calls: int
    separating: int


def returned_something(calls: Sequence[Recorded]) -> bool:
    """Whether the submission returned anything: of one that only raises, no more is known than that it raises."""
    return any(recorded.call.outcome.raised is None for recorded in calls)


class Diagnosing(Protocol):
    """A way to name a mistake."""

    def name(self, exercise: str, calls: Sequence[Recorded], named: Sequence[str] = ()) -> Finding | None:
        """Return the mistake behind the calls that an exercise's tests made, or None if none fits.

        Args:
            exercise: The exercise.
            calls: The calls that its tests made.
            named: Misconceptions that the submission was found to hold in other exercises: one of them is the likely
                root, and is tried first.
        """
        ...

    def singles(self, exercise: str, calls: Sequence[Recorded]) -> list[Finding]:
        """Return every misconception of the exercise that fits the calls, in the order of the catalogue."""
        ...


def in_order(exercise: str, manifest: Manifest, ids: Sequence[str], named: Sequence[str]) -> list[str]:
    """Return the misconceptions to try: those already named in what the exercise needs, its own, then its needs'."""
    needs = manifest.prerequisites(exercise)
    known = [each for each in named if each.partition("/")[0] in needs]
    own = [each for wanted in (exercise, *reversed(needs)) for each in ids if each.partition("/")[0] == wanted]
    return list(dict.fromkeys([*known, *own]))


class Diagnostician:
    """Tries the catalogue of an assignment on recorded calls."""

    def __init__(self, sources: Sequence[Source], catalogue: Catalogue, manifest: Manifest) -> None:
        self._sources = sources
        self._catalogue = catalogue
        self._manifest = manifest
        self._right = patched(sources, (), manifest.given_names)
        self._once = Once()
        self._callers: dict[tuple[str, ...], DirectCaller] = {}

    def name(self, exercise: str, calls: Sequence[Recorded], named: Sequence[str] = ()) -> Finding | None:
        """See `Diagnosing`; where no single misconception fits, two at once are tried."""
        by_id = {each.id: each for each in self._catalogue.misconceptions}
        ids = in_order(exercise, self._manifest, list(by_id), named)
        singles = [by_id[each] for each in ids]
        pairs = ((a, b) for a, b in combinations(singles, 2) if a.function != b.function)
        return next(self._fitting(chain(((single,) for single in singles), pairs), calls), None)

    def singles(self, exercise: str, calls: Sequence[Recorded]) -> list[Finding]:
        """Return every misconception of the exercise that fits: more than one means that no call tells them apart."""
        return list(self._fitting(((single,) for single in self._catalogue.of_exercises([exercise])), calls))

    def _fitting(self, candidates: Iterable[tuple[Misconception, ...]], calls: Sequence[Recorded]) -> Iterator[Finding]:
        right = list(self._right.replay((recorded.call for recorded in calls), self._once))
        for patches in candidates:
            if calls and (found := self._fits(patches, calls, right)) is not None:
                yield found

    def _fits(
        self, patches: tuple[Misconception, ...], calls: Sequence[Recorded], right: Sequence[Outcome]
    ) -> Finding | None:
        if not returned_something(calls):
            return None
        caller = self._caller(patches)
        separating = 0
        again = caller.replay(recorded.call for recorded in calls)
        for recorded, truth, theirs in zip(calls, right, again, strict=True):
            mine, tolerance = recorded.call.outcome, recorded.tolerance
            of_kind = not same_kinds(theirs.value, truth.value)  # a mistake in the type of a number, not in the number
            if not same_outcome(mine, theirs, tolerance) or (of_kind and not same_kinds(mine.value, theirs.value)):
                return None
            separating += of_kind or not same_outcome(theirs, truth, tolerance, factor=SEPARATION)
        return Finding(patches, len(calls), separating) if separating else None

    def _caller(self, patches: tuple[Misconception, ...]) -> DirectCaller:
        key = tuple(patch.id for patch in patches)
        if key not in self._callers:
            self._callers[key] = patched(self._sources, patches, self._manifest.given_names)
        return self._callers[key]


def patched(
    sources: Sequence[Source], misconceptions: Sequence[Misconception], given: Sequence[str] = ()
) -> DirectCaller:
    """Return a caller of the reference in which each misconception takes the place of its function.

    Args:
        sources: The reference.
        misconceptions: What takes its functions' places.
        given: The names of the classes that the assignment gives.
    """
    patches: dict[str, dict[str, Patch]] = {}
    for each in misconceptions:
        patches.setdefault(each.home, {})[each.function] = each.implementation
    return DirectCaller(*namespaces_of(sources, patches), given=given)
