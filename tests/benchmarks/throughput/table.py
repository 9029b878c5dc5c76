"""What came of it, as ratios with their spreads."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.benchmarks.throughput.contenders import CONTENDERS
from tests.benchmarks.throughput.ground import Ground
from tests.benchmarks.throughput.rounds import Times

BASE = "grader"


@dataclass(frozen=True)
class Spread:
    """A median, and the least and the most."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values))


@dataclass(frozen=True)
class Line:
    """One contender in one measurement.

    Args:
        name: The contender.
        rate: Submissions a second.
        seconds: Wall-clock seconds a submission.
        cpu: Processor seconds a submission, of all processes.
        opening: Seconds before the first submission of a class.
        times_as_fast: How many times as many submissions a second the grader with one slot gets done, round by round.
        times_as_fast_cpu: The same by processor time.
    """

    name: str
    rate: float
    seconds: Spread
    cpu: Spread
    opening: float
    times_as_fast: Spread
    times_as_fast_cpu: Spread


@dataclass(frozen=True)
class Measurement:
    """All contenders with one flavour and size.

    Args:
        outside: Seconds a submission that the grader takes beyond student code and bodies of tests, round by round.
        slots: How many times as many submissions a second two slots get done as one.
    """

    flavour: str
    tests: int
    lines: list[Line]
    outside: Spread | None
    outside_cpu: Spread | None
    slots: Spread | None


def measurement(ground: Ground, times: Mapping[str, Times]) -> Measurement:
    """Return what the times of a measurement come to."""
    base = times.get(BASE)
    lines = [_line(CONTENDERS[name].name, each, base or each) for name, each in times.items()]
    bodies, two = times.get("bodies"), times.get("grader-2")
    return Measurement(
        ground.flavour.name,
        ground.tests,
        lines,
        outside=_differences(base.wall, bodies.wall) if base and bodies else None,
        outside_cpu=_differences(base.cpu, bodies.cpu) if base and bodies else None,
        slots=_ratios(base.wall, two.wall) if base and two else None,
    )


def _line(name: str, times: Times, base: Times) -> Line:
    seconds = Spread.of(times.wall)
    return Line(
        name,
        1 / seconds.median,
        seconds,
        Spread.of(times.cpu),
        times.opening,
        _ratios(times.wall, base.wall),
        _ratios(times.cpu, base.cpu),
    )


def _ratios(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    return Spread.of([one / max(other, 1e-9) for one, other in zip(ours, theirs, strict=True)])


def _differences(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    return Spread.of([one - other for one, other in zip(ours, theirs, strict=True)])


def shown(told: Measurement) -> str:
    """Return a measurement as a table."""
    rows = [f"{told.flavour}, {told.tests} tests"]
    rows += [f"  {'':<24}{'a second':>10}{'ms each':>24}{'CPU ms':>9}{'start':>9}   grader, 1 slot, is faster"]
    rows += [_row(each) for each in told.lines]
    if told.outside and told.outside_cpu:
        rows.append(
            f"  outside student code and tests: {_ms(told.outside)} ms a submission, {_ms(told.outside_cpu)} of processor time"
        )
    if told.slots:
        rows.append(f"  two slots, each on its core: {_times(told.slots)} as many submissions a second as one")
    return "\n".join(rows) + "\n"


def _row(line: Line) -> str:
    cpu = f"{line.cpu.median * 1000:.1f}"
    return (
        f"  {line.name:<24}{line.rate:>10.2f}{_ms(line.seconds):>24}{cpu:>9}{line.opening:>7.1f} s"
        f"   {_times(line.times_as_fast)}; by CPU {line.times_as_fast_cpu.median:.2f}"
    )


def _ms(spread: Spread) -> str:
    return f"{spread.median * 1000:.1f} ({spread.least * 1000:.1f} to {spread.most * 1000:.1f})"


def _times(spread: Spread) -> str:
    return f"{spread.median:.2f} times ({spread.least:.2f} to {spread.most:.2f})"
