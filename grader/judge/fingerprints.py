"""What each misconception gives on the visible inputs: all that a student's kit knows of the catalogue.

The file holds no code: for each call that the visible tests make, a few entries of what each
misconception returns, and the words for it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from grader.judge.diagnose import SEPARATION, Finding, Recorded, in_order, patched, returned_something
from grader.judge.direct import DirectCaller, Source
from grader.judge.imprint import Imprint, imprint, policy, request_keys, same_imprint
from grader.judge.record import Call, Outcome
from grader.model.errors import CourseError
from grader.model.evidence import Explanation
from grader.model.manifest import Manifest, Strict
from grader.testing.catalogue import Catalogue, Explained, Misconception
from grader.testing.tolerance import EXACT, Tolerance


class Group(Strict):
    """Misconceptions that give the same on one call."""

    ids: list[str]
    gives: Imprint
    separates: bool = Field(description="Whether that is far from right")


class Visible(NamedTuple):
    """The calls of one visible test, in order, and its widest tolerance."""

    calls: Sequence[Call]
    tolerance: Tolerance = EXACT


class Words(Strict):
    """What is told of a misconception."""

    en: Explanation
    zh_tw: Explanation = Field(alias="zh-TW")


class Fingerprints(Strict):
    """The file `visible/fingerprints.json`."""

    schema_version: Literal[1] = 1
    words: dict[str, Words] = {}
    calls: dict[str, list[Group]] = {}
    loose: dict[str, Tolerance] = Field(
        {}, description="Calls whose visible test compares more loosely than usual, and how loosely"
    )


class _Seen(NamedTuple):
    """What a submission gave on a known call, what mistakes give there, how loosely its test compares, and if it passed."""

    groups: list[Group]
    got: Imprint
    tolerance: Tolerance
    expected: Tolerance
    passed: bool


# Between two processors; a mistake is further from another one than this, or the two are one group on either.
_LAST_DIGITS = Tolerance(rtol=1e-4, atol=1e-6)


class FingerprintDiagnosis:
    """Names misconceptions from fingerprints, as a `Diagnosing`."""

    def __init__(self, fingerprints: Fingerprints, manifest: Manifest) -> None:
        self._prints = fingerprints
        self._manifest = manifest

    @property
    def ids(self) -> list[str]:
        """See `Diagnosing`."""
        return list(self._prints.words)

    def name(self, exercise: str, calls: Sequence[Recorded], named: Sequence[str] = ()) -> Finding | None:
        """See `Diagnosing`; a misconception must fit every call that it is known for."""
        return next(self._fitting(in_order(exercise, self._manifest, self.ids, named), calls), None)

    def singles(self, exercise: str, calls: Sequence[Recorded]) -> list[Finding]:
        """See `Diagnosing`."""
        return list(self._fitting([each for each in self.ids if each.partition("/")[0] == exercise], calls))

    def warm(self) -> None:
        """See `Diagnosing`; what was read is all there is."""

    def _fitting(self, candidates: Sequence[str], calls: Sequence[Recorded]) -> Iterator[Finding]:
        if not returned_something(calls):
            return
        keys = request_keys(recorded.call for recorded in calls)
        known = [self._seen(recorded, key) for recorded, key in zip(calls, keys, strict=True) if self._knows(key)]
        yield from (found for each in candidates if (found := self._fits(each, known)) is not None)

    def _knows(self, key: str) -> bool:
        return key in self._prints.calls

    def _seen(self, recorded: Recorded, key: str) -> _Seen:
        """What a known call came to."""
        expected = self._prints.loose.get(key, EXACT)
        got = imprint(recorded.call.request, recorded.call.outcome)
        return _Seen(self._prints.calls[key], got, recorded.tolerance, expected, recorded.passed)

    def _fits(self, misconception: str, calls: Sequence[_Seen]) -> Finding | None:
        known = separating = 0
        for groups, got, tolerance, expected, passed in calls:
            group = next((group for group in groups if misconception in group.ids), None)
            if group is None:
                continue
            if not same_imprint(got, group.gives, tolerance):
                if passed and got.raised and group.gives.raised:
                    continue  # of errors that a test took, one is as good as another
                return None
            known += 1
            # A test that compares more loosely than the one of which this is known cannot tell a mistake from what is right,
            # unless one of them raises.
            usual = policy(group.gives).wider(expected)
            tells = group.gives.raised is not None or usual.wider(tolerance) == usual
            separating += group.separates and tells
        return Finding((self._told(misconception),), known, separating) if separating else None

    def _told(self, misconception: str) -> Misconception:
        words = self._prints.words[misconception]
        return Misconception(
            misconception, "", _no_code, Explained(**words.en.model_dump()), Explained(**words.zh_tw.model_dump())
        )


def _no_code(*args: object) -> None:
    raise NotImplementedError(f"fingerprints hold no code: {args}")


def read_fingerprints(path: Path) -> Fingerprints:
    """Return the fingerprints of a kit; none where there is no such file.

    Raises:
        CourseError: The file is damaged.
    """
    if not path.is_file():
        return Fingerprints()
    try:
        return Fingerprints.model_validate_json(path.read_bytes())
    except ValueError as error:
        raise CourseError(f"damaged: {error}", where=path, hint="get the kit again") from error


def alike(one: Fingerprints, other: Fingerprints) -> bool:
    """Whether two say the same, but for the last digits of a number: processors of two kinds add in another order."""
    if (one.words, one.loose, one.calls.keys()) != (other.words, other.loose, other.calls.keys()):
        return False
    return all(_groups_alike(groups, other.calls[key]) for key, groups in one.calls.items())


def _groups_alike(groups: Sequence[Group], others: Sequence[Group]) -> bool:
    ours, theirs = ({each: group.gives for group in some for each in group.ids} for some in (groups, others))
    return ours.keys() == theirs.keys() and all(
        same_imprint(gives, theirs[each], _LAST_DIGITS) for each, gives in ours.items()
    )


def as_text(fingerprints: Fingerprints) -> str:
    """Return the file: a line for each call and each misconception, so that a change of one is a change of one line."""
    data = fingerprints.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    parts = [f'"schema_version": {fingerprints.schema_version}']
    for name in ("words", "calls", *(["loose"] if fingerprints.loose else [])):
        lines = [
            f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
            for key, value in data.get(name, {}).items()
        ]
        parts.append(f'"{name}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def make_fingerprints(
    sources: Sequence[Source], catalogue: Catalogue, manifest: Manifest, tests: Mapping[str, Sequence[Visible]]
) -> Fingerprints:
    """Compute fingerprints.

    Args:
        sources: The reference.
        catalogue: The misconceptions.
        manifest: The exercises.
        tests: The visible tests of each exercise.
    """
    right = patched(sources, (), manifest.given_names)
    callers = {m: patched(sources, [m], manifest.given_names) for m in catalogue.misconceptions}
    asked: dict[str, _Asked] = {}
    for exercise, each in tests.items():
        # Several exercises may make one call, each with misconceptions of its own.
        concerned = {exercise, *manifest.prerequisites(exercise)}
        candidates = {m.id: caller for m, caller in callers.items() if m.exercise in concerned}
        for test in each:
            _ask(test, right, candidates, asked)
    words = {m.id: Words(en=_explanation(m.en), zh_tw=_explanation(m.zh_tw)) for m in catalogue.misconceptions}
    in_order = [m.id for m in catalogue.misconceptions]
    return Fingerprints(
        words=words,
        calls={key: _groups(asked[key], in_order) for key in sorted(asked)},
        loose={key: asked[key].tolerance for key in sorted(asked) if asked[key].is_loose},
    )


@dataclass
class _Asked:
    """One call of visible tests: what is right, what each misconception gives, and the widest tolerance of a test."""

    right: Imprint
    tolerance: Tolerance = EXACT
    gives: dict[str, Imprint] = field(default_factory=dict)

    @property
    def is_loose(self) -> bool:
        """Whether it is compared more loosely than usual."""
        usual = policy(self.right)
        return usual.wider(self.tolerance) != usual


def _ask(test: Visible, right: DirectCaller, candidates: Mapping[str, DirectCaller], asked: dict[str, _Asked]) -> None:
    """Note what comes of a test's calls, made by the reference and by each misconception."""
    keys = list(request_keys(test.calls))
    for key, kept in zip(keys, _imprints(test.calls, right.replay(test.calls)), strict=True):
        call = asked.setdefault(key, _Asked(kept))
        call.tolerance = call.tolerance.wider(test.tolerance)
    for misconception, caller in candidates.items():
        _begin_alike()
        for key, kept in zip(keys, _imprints(test.calls, caller.replay(test.calls)), strict=True):
            asked[key].gives.setdefault(misconception, kept)


def _begin_alike() -> None:
    """Seed torch's own generator, from which new models have their weights: what a mistake gives is the same in every run."""
    if (torch := sys.modules.get("torch")) is not None:
        torch.default_generator.manual_seed(0)


def _imprints(calls: Sequence[Call], outcomes: Iterable[Outcome]) -> Iterator[Imprint]:
    return (imprint(call.request, outcome) for call, outcome in zip(calls, outcomes, strict=True))


def _groups(asked: _Asked, in_order: Sequence[str]) -> list[Group]:
    groups: list[Group] = []
    for misconception in (each for each in in_order if each in asked.gives):
        gives = asked.gives[misconception]
        same = next((group for group in groups if group.gives == gives), None)
        if same is None:
            separates = not same_imprint(gives, asked.right, asked.tolerance, factor=SEPARATION)
            groups.append(Group(ids=[misconception], gives=gives, separates=separates))
        else:
            same.ids.append(misconception)
    return groups


def _explanation(explained: Explained) -> Explanation:
    return Explanation(name=explained.name, why=explained.why, hint=explained.hint)
