"""Mutate the reference of an assignment: does the hidden suite notice?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from grader.course.assignment import load_assignment
from grader.verify.mutants.comparison import CALLS
from grader.verify.mutants.derive import derive
from grader.verify.mutants.equivalents import load_equivalents, misdeclared, reasons
from grader.verify.mutants.fate import Fate
from grader.verify.mutants.mutant import Mutant
from grader.verify.mutants.part import decide
from grader.verify.mutants.reach import judges
from grader.verify.processes import computing_in_one_thread

# As for misconceptions: one seed that misses a mistake is found by a few.
_MOST_ROUNDS = 5


@dataclass
class Mutation:
    """All that was found about the mutants of one assignment; `texts` is the source of its reference by module."""

    assignment: str
    fates: list[Fate]
    rounds: int
    problems: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def survivors(self) -> list[Fate]:
        """The mutants that lose no points and are not declared."""
        return [fate for fate in self.fates if fate.survives]

    @property
    def holds(self) -> bool:
        """Whether every mutant is caught or rightly declared."""
        return not self.problems and not self.survivors


def mutate(folder: Path, *, seeds: int, jobs: int) -> Mutation:
    """Run the hidden tests of one assignment on every mutant of its reference.

    Args:
        folder: The assignment's.
        seeds: Rounds of inputs, on each of which a mutant must be caught.
        jobs: Processes to spread the mutants over.

    Raises:
        CourseError: Something of the assignment cannot be read or collected.
    """
    started = time.perf_counter()
    assignment = load_assignment(folder)
    texts = {module: assignment.reference(module).read_text("utf-8") for module in assignment.manifest.modules}
    mutants = [mutant for module in assignment.manifest.answered for mutant in derive(module, texts[module])]
    declared = load_equivalents(assignment)
    rounds = min(seeds, _MOST_ROUNDS)
    judging = judges(assignment.manifest, texts)
    same, spared = reasons(mutants, declared.equivalents), reasons(mutants, declared.survivors)
    open_fates = [Fate(each, _judges(each, judging), rounds, same.get(each), spared.get(each)) for each in mutants]
    decided = _decided(folder, open_fates, jobs)
    problems = [*misdeclared(mutants, declared), *_unproven(decided)]
    return Mutation(assignment.id, decided, rounds, problems, texts, time.perf_counter() - started)


def _judges(mutant: Mutant, judging: Mapping[tuple[str, str], frozenset[str]]) -> frozenset[str]:
    whole = judging[mutant.module, mutant.function.partition(".")[0]]
    return judging.get((mutant.module, mutant.function), whole)


def _decided(folder: Path, undecided: Sequence[Fate], jobs: int) -> list[Fate]:
    """Decide fates in several processes; return them in the order of the source."""
    with (
        computing_in_one_thread(),
        ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool,
    ):
        waiting = [pool.submit(decide, folder, list(undecided[start::jobs])) for start in range(jobs)]
        found = [fate for future in waiting for fate in future.result()]
    return sorted(found, key=lambda fate: (fate.mutant.module, fate.mutant.edit))


def _unproven(decided: Sequence[Fate]) -> Iterator[str]:
    """Tell which mutants are declared equivalent, or to survive, and are or do not."""
    for fate in decided:
        if fate.spared is not None and fate.caught:
            yield f"{fate.mutant.name} is declared to survive, but {next(iter(fate.caught.values()))} catches it"
        if fate.reason is None:
            continue
        if fate.caught:
            yield f"{fate.mutant.name} is declared equivalent, but {next(iter(fate.caught.values()))} catches it"
        elif fate.unequal is not None:
            yield f"{fate.mutant.name} is declared equivalent, but differs from the reference in {fate.unequal}"
        elif fate.compared < CALLS:
            yield f"{fate.mutant.name} is declared equivalent, but was compared on {fate.compared} calls only: {CALLS} are needed"
