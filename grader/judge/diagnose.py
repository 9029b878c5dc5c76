"""Name the mistake: find the misconception that reproduces everything the submission did.

No source is read and nothing is guessed: a misconception is named when it gives the same results as the
submission on every recorded call, and at least one of them is far from what the reference gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Protocol

from grader.judge.direct import DirectCaller, Patch, Source, namespaces_of
from grader.judge.record import Call, Outcome
from grader.judge.replay import Replay, Room
from grader.judge.same import same_kinds, same_outcome
from grader.judge.script import Line, lines
from grader.model.manifest import Manifest
from grader.testing.catalogue import Catalogue, Misconception
from grader.testing.tolerance import Tolerance

SEPARATION = 100.0

# Enough for any two mistakes that were met in one class, and few enough for a submission that is wrong in ways of its own.
_MOST_PAIRS = 400
_MOST_PROBES = 6


@dataclass(frozen=True)
class Recorded:
    """A call of a test, the tolerance that the test used, which it is, and whether it passed."""

    call: Call
    tolerance: Tolerance
    test: str = ""
    passed: bool = False

    def gave(self, other: Outcome) -> bool:
        """Whether the submission gave the same: of errors that a test took, one is as good as another."""
        mine = self.call.outcome
        both_raised = mine.raised is not None and other.raised is not None
        return (self.passed and both_raised) or same_outcome(mine, other, self.tolerance)


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

    @property
    def ids(self) -> Sequence[str]:
        """All misconceptions, in the order of the catalogue."""
        ...

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

    def warm(self) -> None:
        """Make ready what every diagnosis needs."""
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
        self._room = Room()
        self._replays: dict[tuple[str, ...], Replay] = {}

    @property
    def ids(self) -> list[str]:
        """See `Diagnosing`."""
        return [each.id for each in self._catalogue.misconceptions]

    def name(self, exercise: str, calls: Sequence[Recorded], named: Sequence[str] = ()) -> Finding | None:
        """See `Diagnosing`; where no single misconception fits, two at once are tried."""
        by_id = {each.id: each for each in self._catalogue.misconceptions}
        ids = in_order(exercise, self._manifest, self.ids, named)
        singles = [by_id[each] for each in ids]
        one = next(self._fitting(((single,) for single in singles), calls), None)
        return one or next(self._fitting(islice(self._pairs(singles, calls), _MOST_PAIRS), calls), None)

    def singles(self, exercise: str, calls: Sequence[Recorded]) -> list[Finding]:
        """Return every misconception of the exercise that fits: more than one means that no call tells them apart."""
        return list(self._fitting(((single,) for single in self._catalogue.of_exercises([exercise])), calls))

    def warm(self) -> None:
        """See `Diagnosing`: every mistake has its own copy of the reference, which is made once."""
        for each in self._catalogue.misconceptions:
            self._replay((each,))

    def _pairs(
        self, singles: Sequence[Misconception], calls: Sequence[Recorded]
    ) -> Iterator[tuple[Misconception, ...]]:
        """Yield the pairs that could be behind the first wrong call of each test: one of them explains it, or both alter it."""
        script = lines(calls) if returned_something(calls) else []
        right = list(self._replay(())(script))
        probes = list(islice(_wrong(script, calls, right), _MOST_PROBES))
        explain: dict[str, set[int]] = {}
        alter: dict[str, set[int]] = {}
        for single in singles if probes else ():
            gives = {at: [*self._replay((single,))(script[begins : at + 1])][-1] for begins, at in probes}
            explain[single.id] = {at for at, theirs in gives.items() if not _differs(calls[at], theirs)}
            alter[single.id] = {at for at, theirs in gives.items() if _differ(theirs, right[at], calls[at].tolerance)}
        for a, b in combinations(singles, 2):
            if probes and a.function != b.function:
                both = explain[a.id] | explain[b.id] | (alter[a.id] & alter[b.id])
                if len(both) == len(probes):
                    yield a, b

    def learn(self, misconception: Misconception, calls: Sequence[Recorded]) -> None:
        """Take what a misconception itself gave as what it gives."""
        self._replay((misconception,)).learn(lines(calls))

    def _fitting(self, candidates: Iterable[tuple[Misconception, ...]], calls: Sequence[Recorded]) -> Iterator[Finding]:
        if not returned_something(calls):
            return
        script = lines(calls)
        right = list(self._replay(())(script))
        for patches in candidates:
            if (found := self._fits(patches, calls, right, script)) is not None:
                yield found

    def _fits(
        self,
        patches: tuple[Misconception, ...],
        calls: Sequence[Recorded],
        right: Sequence[Outcome],
        script: Sequence[Line],
    ) -> Finding | None:
        found = []
        for recorded, truth, theirs in zip(calls, right, self._replay(patches)(script), strict=True):
            mine = recorded.call.outcome
            of_kind = not same_kinds(theirs.value, truth.value)  # a mistake in the type of a number, not in the number
            if not recorded.gave(theirs) or (of_kind and not same_kinds(mine.value, theirs.value)):
                return None
            if same_outcome(mine, theirs, recorded.tolerance):
                found.append((theirs, truth, recorded.tolerance, of_kind))
        separating = sum(
            of_kind or not same_outcome(theirs, truth, tolerance, factor=SEPARATION)
            for theirs, truth, tolerance, of_kind in found
        )
        return Finding(patches, len(calls), separating) if separating else None

    def _replay(self, patches: tuple[Misconception, ...]) -> Replay:
        key = tuple(patch.id for patch in patches)
        if key in self._replays:
            return self._replays[key]
        made = Replay(patched(self._sources, patches, self._manifest.given_names), self._room)
        if len(patches) < 2:  # pairs are many, and each is tried once
            self._replays[key] = made
        return made


def _wrong(script: Sequence[Line], calls: Sequence[Recorded], right: Sequence[Outcome]) -> Iterator[tuple[int, int]]:
    """Yield where each test begins that has a wrong call, and where its first one is."""
    begins, found = 0, False
    for at, (line, each, truth) in enumerate(zip(script, calls, right, strict=True)):
        if line.begins:
            begins, found = at, False
        if not found and _differs(each, truth):
            found = True
            yield begins, at


def _differs(recorded: Recorded, other: Outcome) -> bool:
    return not recorded.gave(other) or not same_kinds(recorded.call.outcome.value, other.value)


def _differ(one: Outcome, other: Outcome, tolerance: Tolerance) -> bool:
    return not same_outcome(one, other, tolerance) or not same_kinds(one.value, other.value)


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
