"""Kill the grader itself at random moments, and give the same command again each time: what is there in the end is what an undisturbed run leaves.

python -m tests.faults.resumes [--size 300] [--kills 100] [--seed N]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from grader.gradebook.book import FILE_NAME
from tests.e2e.toy import hand_in, toy_course
from tests.faults.compare import differences, gradebook, reports
from tests.faults.graded import Run, grade
from tests.faults.kills import SOURCES
from tests.faults.processes import adopt_orphans, alive, left_over

# Patience enough for a busy machine: no limit of time may decide anything here.
_LIMITS = "{ cpu_seconds = 60.0, wall_seconds = 120.0 }"
_PATIENCE_SECONDS = 120.0


def main() -> int:
    """Grade twice, compare, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="resumes-") as folder:
        wrong = _try(Path(folder), options.size, options.kills, options.seed)
    sys.stdout.write("".join(f"WRONG: {each}\n" for each in wrong[:20]))
    return 1 if wrong else 0


def _try(work: Path, size: int, kills: int, seed: int) -> list[str]:
    course = toy_course(work / "course", limits=_LIMITS)
    kinds = list(SOURCES)
    for number in range(size):
        kind = kinds[number % len(kinds)]
        submissions = hand_in(course, f"{number:04}-{kind}", SOURCES[kind])
    calm, killed = work / "calm", work / "killed"
    started = time.monotonic()
    undisturbed = grade(course, [submissions], calm, "-j", "2")
    each = (time.monotonic() - started) / size
    draw = random.Random(seed)  # noqa: S311 - a game, no secret
    done = 0
    for _ in range(kills):
        run = grade(course, [submissions], killed, "-j", "2", during=_killing(killed, draw, size // kills))
        done += run.code == -signal.SIGKILL
    last = grade(course, [submissions], killed, "-j", "2")
    sys.stdout.write(f"seed {seed}: {done} of {kills} kills over {size} submissions, {each:.2f} s each undisturbed\n")
    wrong = differences(reports(calm), reports(killed))
    wrong += [f"only {done} of {kills} kills: the class ended before"] if done < kills else []
    wrong += [] if gradebook(killed / FILE_NAME) == gradebook(calm / FILE_NAME) else ["the gradebooks differ"]
    wrong += [f"{each} lives on" for each in left_over()]
    return wrong + _amiss("undisturbed", undisturbed) + _amiss("last", last)


def _killing(out: Path, draw: random.Random, most: int) -> Callable[[int], None]:
    """Kill a run a moment after it has finished a few submissions, or none."""
    wanted, moment = draw.randint(0, most), draw.uniform(0, 0.2)

    def watch(pid: int) -> None:
        before, until = _finished(out), time.monotonic() + _PATIENCE_SECONDS
        while _finished(out) < before + wanted and time.monotonic() < until and alive(pid):
            time.sleep(0.005)
        time.sleep(moment)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    return lambda pid: threading.Thread(target=watch, args=[pid]).start()


def _finished(out: Path) -> int:
    return sum(1 for _ in out.glob("*/report.json"))


def _amiss(name: str, run: Run) -> list[str]:
    return [] if run.code == 0 else [f"{name}: exit code {run.code}: {run.said[-2000:]}"]


if __name__ == "__main__":
    sys.exit(main())
