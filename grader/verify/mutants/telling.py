"""What became of the mutants, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.verify.mutants.fate import Fate
from grader.verify.mutants.mutation import Mutation


def render(mutation: Mutation) -> Iterator[str]:
    """Yield the lines of a report on the mutants of one assignment."""
    yield f"{mutation.assignment}: {_counts(mutation.fates)}, {mutation.rounds} {'seed' if mutation.rounds == 1 else 'seeds'}"
    exercises = sorted({fate.exercise for fate in mutation.fates})
    for exercise in exercises:
        own = [fate for fate in mutation.fates if fate.exercise == exercise]
        yield f"  {exercise:<{max(map(len, exercises))}}  {_counts(own)}"
    for fate in mutation.fates:
        if fate.survives or fate.spared is not None:
            yield from _survivor(fate, mutation)
    yield from (f"  problem: {problem}" for problem in mutation.problems)
    yield "  holds" if mutation.holds else f"  does not hold: {_wrong(mutation)}"


def _counts(fates: Sequence[Fate]) -> str:
    killed = sum(fate.killed for fate in fates if fate.reason is None)
    others = sum(fate.reason is None for fate in fates)
    share = f"{killed} of {others} mutants killed ({killed / max(1, others):.1%})"
    return share + (f", {len(fates) - others} more equivalent" if others < len(fates) else "")


def _survivor(fate: Fate, mutation: Mutation) -> Iterator[str]:
    mutant = fate.mutant
    seeds = f" with {fate.rounds - len(fate.caught)} of {fate.rounds} seeds" if fate.caught else ""
    place = f"reference/{mutant.module}.py:{mutant.line}"
    declared = ", as declared" if fate.spared is not None else ""
    yield f"  survives{declared}{seeds}: {place} in {mutant.function}: {mutant.before} -> {mutant.after}"
    yield from (f"    {line}" for line in mutant.diff(mutation.texts[mutant.module]).splitlines())
    if fate.spared is not None:
        yield f"    reason: {fate.spared}"


def _wrong(mutation: Mutation) -> str:
    survivors, problems = len(mutation.survivors), len(mutation.problems)
    parts = [(survivors, "survivor"), (problems, "problem")]
    return ", ".join(f"{count} {what}{'s' if count > 1 else ''}" for count, what in parts if count)
