"""What each misconception gives on the visible inputs: all that a student's kit knows of the catalogue.

The file holds no code: for each call that the visible tests make, a few entries of what each
misconception returns, and the words for it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from grader.judge.diagnose import SEPARATION, Finding, Recorded, in_order, patched, returned_something
from grader.judge.direct import DirectCaller, Source
from grader.judge.imprint import Imprint, imprint, policy, request_key, same_imprint
from grader.judge.record import Request
from grader.model.errors import CourseError
from grader.model.evidence import Explanation
from grader.model.manifest import Manifest, Strict
from grader.testing.catalogue import Catalogue, Explained, Misconception
from grader.testing.tolerance import EXACT


class Group(Strict):
    """Misconceptions that give the same on one call."""

    ids: list[str]
    gives: Imprint
    separates: bool = Field(description="Whether that is far from right")


class Words(Strict):
    """What is told of a misconception."""

    en: Explanation
    zh_tw: Explanation = Field(alias="zh-TW")


class Fingerprints(Strict):
    """The file `visible/fingerprints.json`."""

    schema_version: Literal[1] = 1
    words: dict[str, Words] = {}
    calls: dict[str, list[Group]] = {}


class FingerprintDiagnosis:
    """Names misconceptions from fingerprints, as a `Diagnosing`."""

    def __init__(self, fingerprints: Fingerprints, manifest: Manifest) -> None:
        self._prints = fingerprints
        self._manifest = manifest

    def name(self, exercise: str, calls: Sequence[Recorded], named: Sequence[str] = ()) -> Finding | None:
        """See `Diagnosing`; a misconception must fit every call that it is known for."""
        candidates = in_order(exercise, self._manifest, list(self._prints.words), named)
        return next((found for each in candidates if (found := self._fits(each, calls)) is not None), None)

    def _fits(self, misconception: str, calls: Sequence[Recorded]) -> Finding | None:
        if not returned_something(calls):
            return None
        known = separating = 0
        for recorded in calls:
            request = recorded.call.request
            group = next((g for g in self._prints.calls.get(request_key(request), []) if misconception in g.ids), None)
            if group is None:
                continue
            if not same_imprint(imprint(request, recorded.call.outcome), group.gives, recorded.tolerance):
                return None
            known += 1
            # A test that compares more loosely than usual cannot tell a mistake from what is right.
            usual = policy(group.gives)
            separating += group.separates and usual.wider(recorded.tolerance) == usual
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


def as_text(fingerprints: Fingerprints) -> str:
    """Return the file: a line for each call and each misconception, so that a change of one is a change of one line."""
    data = fingerprints.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    parts = [f'"schema_version": {fingerprints.schema_version}']
    for name in ("words", "calls"):
        lines = [
            f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
            for key, value in data.get(name, {}).items()
        ]
        parts.append(f'"{name}": {{\n' + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def make_fingerprints(
    sources: Sequence[Source], catalogue: Catalogue, manifest: Manifest, requests: Mapping[str, Sequence[Request]]
) -> Fingerprints:
    """Compute fingerprints.

    Args:
        sources: The reference.
        catalogue: The misconceptions.
        manifest: The exercises.
        requests: The calls that the visible tests of each exercise make.
    """
    right = DirectCaller(*(source.namespace() for source in sources))
    callers = {m: patched(sources, [m]) for m in catalogue.misconceptions}
    asked: dict[str, tuple[Request, set[str]]] = {}
    for exercise, made in requests.items():
        for request in made:
            # Several exercises may make one call, each with misconceptions of its own.
            _, exercises = asked.setdefault(request_key(request), (request, set()))
            exercises.update([exercise, *manifest.prerequisites(exercise)])
    calls = {
        key: _groups(request, right, {m.id: caller for m, caller in callers.items() if m.exercise in exercises})
        for key, (request, exercises) in sorted(asked.items())
    }
    words = {m.id: Words(en=_explanation(m.en), zh_tw=_explanation(m.zh_tw)) for m in catalogue.misconceptions}
    return Fingerprints(words=words, calls=calls)


def _groups(request: Request, right: DirectCaller, candidates: Mapping[str, DirectCaller]) -> list[Group]:
    truth = imprint(request, right.call(request))
    groups: list[Group] = []
    for misconception, caller in candidates.items():
        gives = imprint(request, caller.call(request))
        same = next((group for group in groups if group.gives == gives), None)
        if same is None:
            separates = not same_imprint(gives, truth, EXACT, factor=SEPARATION)
            groups.append(Group(ids=[misconception], gives=gives, separates=separates))
        else:
            same.ids.append(misconception)
    return groups


def _explanation(explained: Explained) -> Explanation:
    return Explanation(name=explained.name, why=explained.why, hint=explained.hint)
