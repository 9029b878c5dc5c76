"""Tell mistakes apart that have nothing to do with each other: each shows in tests of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.judge.diagnose import Diagnosing, Finding, Recorded
from grader.judge.single import Heard
from grader.model.manifest import Manifest
from grader.model.verdict import Tier


def by_edge(
    diagnosing: Diagnosing, manifest: Manifest, exercise: str, heard: Sequence[Heard], named: Sequence[str]
) -> list[Finding]:
    """Return the mistakes behind the failed edge tests of an exercise whose core holds, in the order of the catalogue.

    A check that is missing, a lost dtype and a row of nothing come together in one function, and no single mistake gives
    all of it. Each must still reproduce every test that passed, and all of a failed one.

    Args:
        diagnosing: Names mistakes.
        manifest: Says what the exercise needs.
        exercise: The exercise.
        heard: The calls that its tests made.
        named: Misconceptions that the submission was found to hold in other exercises.
    """
    held = [each.recorded for each in heard if not each.failed]
    wrong: dict[str, list[Recorded]] = {}
    for each in heard:
        if each.failed:
            if each.tier is not Tier.EDGE:
                return []
            wrong.setdefault(each.test, []).append(each.recorded)
    roots = [root for root in manifest.prerequisites(exercise) if any(_root(name) == root for name in named)]

    def fitting(calls: Sequence[Recorded]) -> list[Finding]:
        """Those known from what the exercise needs or, where none fits, its own."""
        known = [each for root in roots for each in diagnosing.singles(root, calls) if _id(each) in named]
        return known or diagnosing.singles(exercise, calls)

    told = []
    for explained in as_few_as_explain({test: fitting([*calls, *held]) for test, calls in wrong.items()}):
        [best] = {_id(each) for each in explained.values()}
        together = fitting([*(call for test in explained for call in wrong[test]), *held])
        told += [each for each in together if _id(each) == best]
    return sorted(told, key=lambda each: diagnosing.ids.index(_id(each)))


def as_few_as_explain(fitting: Mapping[str, Sequence[Finding]]) -> list[dict[str, Finding]]:
    """Return as few misconceptions as explain the tests that have a name, each as what was found in its tests.

    One outcome may come of several mistakes: the one that explains most of the others is the likeliest.

    Args:
        fitting: Each test with all misconceptions that fit it.
    """
    left = {test: findings for test, findings in fitting.items() if findings}
    told = []
    while left:
        best = _most_telling(left)
        told.append({test: found for test, findings in left.items() for found in findings if _id(found) == best})
        left = {test: findings for test, findings in left.items() if test not in told[-1]}
    return told


def _most_telling(left: Mapping[str, Sequence[Finding]]) -> str:
    """The misconception that fits most tests; of two, the one that was met first."""
    met = [_id(finding) for findings in left.values() for finding in findings]
    return max(dict.fromkeys(met), key=met.count)


def _id(finding: Finding) -> str:
    return finding.misconceptions[0].id


def _root(misconception: str) -> str:
    return misconception.partition("/")[0]
