"""Contenders take turns, round by round, on the same submissions: what disturbs the machine disturbs all of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.benchmarks.throughput.contender import Contender, Grade
from tests.benchmarks.throughput.cores import pinned, spent
from tests.benchmarks.throughput.ground import Ground


@dataclass
class Times:
    """Seconds a submission, one entry a round.

    Args:
        opening: What came before the first submission of a class: started, imported, collected, and a first round.
    """

    opening: float = 0.0
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Asked:
    """How much is measured.

    Args:
        rounds: How many rounds count; one before them does not.
        batch: How many submissions a round has.
    """

    rounds: int
    batch: int


def measured(
    contenders: Mapping[str, Contender], ground: Ground, asked: Asked, tell: Callable[[str], None]
) -> dict[str, Times]:
    """Return the times of those who can take part, and tell why others cannot."""
    able = {name: each for name, each in contenders.items() if not _lacks(each, ground, tell)}
    times = {name: Times() for name in able}
    with ExitStack() as stack:
        graders = {name: stack.enter_context(_opened(each, ground, times[name])) for name, each in able.items()}
        for turn in range(asked.rounds + 1):
            handed_in = ground.hand_in(asked.batch)
            for name in _in_turn([*able], turn):
                part = handed_in[: max(1, round(asked.batch * able[name].share))]
                wall, cpu = _timed(able[name], graders[name], part)
                if turn:
                    times[name].wall.append(wall / len(part))
                    times[name].cpu.append(cpu / len(part))
                else:
                    times[name].opening += wall
    return times


def _lacks(contender: Contender, ground: Ground, tell: Callable[[str], None]) -> bool:
    reason = contender.lacking(ground.flavour)
    if reason:
        tell(f"{contender.name} takes no part with {ground.flavour.name}: {reason}\n")
    return bool(reason)


@contextmanager
def _opened(contender: Contender, ground: Ground, times: Times) -> Iterator[Grade]:
    started = time.perf_counter()
    with contender.open(ground) as grade:
        times.opening = time.perf_counter() - started
        yield grade


def _in_turn(names: list[str], turn: int) -> list[str]:
    """Whoever came first comes last in the next round."""
    first = turn % len(names)
    return names[first:] + names[:first]


def _timed(contender: Contender, grade: Grade, part: Sequence[Path]) -> tuple[float, float]:
    with pinned(contender.cores):
        gc.collect()
        before, started = spent(), time.perf_counter()
        grade(part)
        return time.perf_counter() - started, spent() - before
