"""The loop: kept inputs changed at random and inputs made by rule, in turn, until the time is over."""

from __future__ import annotations

import faulthandler
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

import hypothesis

from tests.fuzz.base import CORPUS, MIB, Input, Target, tracing
from tests.fuzz.mutate import mutated

_EXAMPLES, _MUTATIONS = 50, 500  # of one round: about a second each
_POOL = 300  # examples that are kept to be mutated
_HANG = 120.0  # seconds for one round, after which the process tells where it stands and ends
_GROWTH = 128 * MIB


@dataclass
class Tally:
    """What became of all inputs of one target."""

    executions: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: dict[str, Input] = field(default_factory=dict)
    growth: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings and self.growth < _GROWTH


def kept(name: str) -> list[Path]:
    """Return the inputs that are kept for a target: one or more of each kind, and one for each bug ever found."""
    return sorted((CORPUS / name).iterdir())


def fuzz(target: Target, corpus: list[Path], seconds: float, folder: Path, seed: int) -> Tally:
    """Fuzz a target for some time.

    Args:
        target: What is fuzzed.
        corpus: Files to start from.
        seconds: How long; at least one round is run.
        folder: Where the input at hand is written, so that it can be had after a crash.
        seed: Decides everything but the number of rounds.
    """
    tally, random = Tally(), Random(seed)  # noqa: S311 -- nothing here is secret
    seeds = [Input("".join(path.suffixes), path.read_bytes()) for path in corpus]
    pool: deque[Input] = deque(maxlen=_POOL)
    began, resident = time.monotonic(), 0
    while tally.executions == 0 or (time.monotonic() < began + seconds and len(tally.findings) < 20):
        faulthandler.dump_traceback_later(_HANG, exit=True)
        _examples(target, random, tally, folder, pool)
        with tracing():
            _mutations(target, [*seeds, *pool], random, tally, folder)
        faulthandler.cancel_dump_traceback_later()
        # By half of the time all caches are full.
        resident = _resident() if time.monotonic() < began + seconds / 2 else resident or _resident()
    tally.growth = _resident() - resident
    return tally


def _mutations(target: Target, seeds: list[Input], random: Random, tally: Tally, folder: Path) -> None:
    others = [seed.data for seed in seeds]
    for _ in range(_MUTATIONS):
        suffix, data = random.choice(seeds)
        changed = target.mended(Input(suffix, mutated(random, data, others)), random.getrandbits(16))
        try:
            _one(target, changed, tally, folder)
        except Exception as error:  # noqa: BLE001 -- whatever comes out is a finding
            tally.findings.setdefault(_told(error), changed)


def _examples(target: Target, random: Random, tally: Tally, folder: Path, pool: deque[Input]) -> None:
    @hypothesis.seed(random.getrandbits(64))
    @hypothesis.settings(
        max_examples=_EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        report_multiple_bugs=False,
    )
    @hypothesis.given(target.inputs())
    def run(example: Input) -> None:
        pool.append(example)
        _one(target, example, tally, folder)

    try:
        run()
    except Exception as error:  # noqa: BLE001 -- likewise
        # The last one that was tried is the smallest that fails.
        tally.findings.setdefault(_told(error), pool[-1])


def _one(target: Target, example: Input, tally: Tally, folder: Path) -> None:
    path = folder / f"a{example.suffix}"
    path.write_bytes(example.data)
    tally.executions += 1
    tally.outcomes[target.check(path)] += 1


def _told(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" ({Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno})"
    return f"{type(error).__name__}{place}: {str(error)[:100]}"


def keep(name: str, finding: Input) -> Path:
    """Write a finding to the corpus and return its path."""
    path = CORPUS / name / f"found-{sha256(finding.data).hexdigest()[:8]}{finding.suffix}"
    path.write_bytes(finding.data)
    return path


def _resident() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return 0
    return pages * 4096
