"""Which of many submissions are alike: never all pairs are compared, only those that share something rare."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from grader.similar.fingerprints import Hashes, Likeness, Source, filtered, hashes, likeness, many_hold

# What more than this many share is the task's or the handout's idiom, and says nothing about two of them.
_MANY = 30
_FEW = 5
# Fewer stretches than this are a line that two people wrote alike.
_STRETCHES = 20


@dataclass(frozen=True)
class Pair:
    """Two files that are alike."""

    one: Source
    other: Source
    likeness: Likeness

    @property
    def part(self) -> float:
        """The larger of both parts: who copies a little into much, copies."""
        return max(self.likeness.parts)


def same(sources: Sequence[Source]) -> list[list[Source]]:
    """Return groups of files of one name that differ in names of variables, spaces and comments at most."""
    groups: dict[tuple[str, str], list[Source]] = defaultdict(list)
    for each in sources:
        groups[each.name, filtered(each)].append(each)
    return [group for group in groups.values() if len(group) > 1]


def alike(sources: Sequence[Source], given: Sequence[Source], earlier: Sequence[Source], least: float) -> list[Pair]:
    """Return pairs of files of one name that are alike, the most alike first.

    Args:
        sources: The files of a class.
        given: What everybody was given, such as templates: it does not count.
        earlier: The files of others, with which those of the class are compared.
        least: The least part of one of both that is to be the other's, 0 to 1.
    """
    pairs = [
        pair for name in sorted({each.name for each in sources}) for pair in _of_one_name(name, sources, given, earlier)
    ]
    found = [pair for pair in pairs if pair.part >= least]
    return sorted(found, key=lambda pair: (-pair.part, -pair.likeness.shared, pair.one.owner, pair.other.owner))


def _of_one_name(
    name: str, sources: Sequence[Source], given: Sequence[Source], earlier: Sequence[Source]
) -> list[Pair]:
    own = [each for each in sources if each.name == name]
    others = [each for each in earlier if each.name == name]
    every = [*own, *others]
    held = [hashes(each) for each in every]
    most = max(_FEW, min(_MANY, len(own) // 10))
    without = many_hold(held, most) | {int(one) for each in given for one in hashes(each)}
    counts = _shared(held, without)
    chosen = [place for place, count in counts.items() if count >= _STRETCHES and place[0] < len(own)]
    return [Pair(every[i], every[j], likeness(every[i], every[j], without)) for i, j in sorted(chosen)]


def _shared(held: Sequence[Hashes], without: set[int]) -> Mapping[tuple[int, int], int]:
    """Count for each two files what both hold."""
    holders: dict[int, list[int]] = defaultdict(list)
    for index, each in enumerate(held):
        for one in each.tolist():
            if one not in without:
                holders[one].append(index)
    counts: Counter[tuple[int, int]] = Counter()
    for indices in holders.values():
        counts.update(combinations(indices, 2))
    return counts
