"""Kill judges, zygotes and workers at random while a class is graded: every report must be what it is undisturbed.

python -m tests.faults.kills [--kills 300] [--seed N]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from grader.sandbox.base import Level
from grader.sandbox.registry import best
from tests.e2e.toy import hand_in, toy_course
from tests.faults.compare import differences, reports
from tests.faults.graded import Run, grade
from tests.faults.killer import Killer
from tests.faults.processes import adopt_orphans, left_over

# How far below its judge a worker stands: at level `full` one process waits outside for the zygote within.
_DEPTHS = {Level.FULL: 3, Level.CONTAINER: 2}

# Each takes its time, so that a kill can fall into it; each would show whether anything was done twice, or not at all.
_SLOWLY = "import time\ntime.sleep(0.1)\nprint('imported')\n"
SOURCES = {
    "right": _SLOWLY + "def double(x):\n    time.sleep(0.1)\n    print('called')\n    return 2 * x\n",
    "counting": _SLOWLY
    + "import numpy as np\ncalls = 0\ndef double(x):\n    global calls\n    calls += 1\n    time.sleep(0.1)\n"
    "    print('call', calls, end=';')\n    print()\n    return x * calls\n",
    "drawing": _SLOWLY
    + "import numpy as np\nrng = np.random.default_rng(3)\ndef double(x):\n    time.sleep(0.1)\n    return x + rng.random(x.shape)\n",
    "raising": _SLOWLY + "def double(x):\n    time.sleep(0.1)\n    raise ValueError(f'no {x.shape}')\n",
    "ending": _SLOWLY + "import os\ndef double(x):\n    time.sleep(0.1)\n    os._exit(3)\n",
    "killing-itself": "import os, signal, time\ndef double(x):\n    time.sleep(0.1)\n    os.kill(os.getpid(), signal.SIGKILL)\n",
    "unfinished": _SLOWLY + "def double(x):\n    raise NotImplementedError('toy.double')\n",
    "broken": "def double(x:\n",
}
# Patience enough for a busy machine: no limit of time may decide anything here.
_LIMITS = "{ cpu_seconds = 60.0, wall_seconds = 120.0 }"


def main() -> int:
    """Grade twice, compare, and say what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        wrong = _try(Path(folder), options.kills, options.seed)
    sys.stdout.write("".join(f"WRONG: {each}\n" for each in wrong[:20]))
    return 1 if wrong else 0


def _try(work: Path, kills: int, seed: int) -> list[str]:
    course = toy_course(work / "course", limits=_LIMITS)
    names = list(SOURCES)
    # Not every judge can be hit: of one that ends early there may be nothing left.
    size = kills + kills // 3 + 4
    for number in range(size):
        name = names[number % len(names)]
        submissions = hand_in(course, f"{number:04}-{name}", SOURCES[name])
    level = best(Level.CONTAINER).level
    started = time.monotonic()
    calm = grade(course, [submissions], work / "calm", "-j", "2")
    between = time.monotonic()
    killers: list[Killer] = []

    def disturb(pid: int) -> None:
        killers.append(Killer(pid, kills, _DEPTHS[level], random.Random(seed)))  # noqa: S311 - a game, no secret
        killers[0].start()

    disturbed = grade(course, [submissions], work / "disturbed", "-j", "2", during=disturb)
    killers[0].join()
    ended = time.monotonic()
    killed = killers[0].killed
    sys.stdout.write(
        f"seed {seed}, level {level}: {killed.total()} kills ({', '.join(f'{n} {kind}s' for kind, n in sorted(killed.items()))}) "
        f"over {size} submissions, {_attempts_given_up(work / 'disturbed')} judged again; "
        f"undisturbed {between - started:.0f} s, disturbed {ended - between:.0f} s\n"
    )
    short = [f"only {killed.total()} of {kills} kills: the class ended before"] if killed.total() < kills else []
    alike = differences(reports(work / "calm"), reports(work / "disturbed"))
    complete = [] if len(reports(work / "calm")) >= 2 * size else ["the undisturbed run is not complete"]
    living = [f"{each} lives on" for each in left_over()]
    return short + complete + alike + living + _amiss("undisturbed", calm) + _amiss("disturbed", disturbed)


def _amiss(name: str, run: Run) -> list[str]:
    left = [f"{name}: {each} is left in the temporary folder" for each in run.left_in_temp]
    return left + ([] if run.code == 0 else [f"{name}: exit code {run.code}: {run.said[-2000:]}"])


def _attempts_given_up(out: Path) -> int:
    found = [json.loads(path.read_text("utf-8")) for path in out.glob("*/report.json")]
    return sum("attempt given up" in report["timings"] for report in found)


if __name__ == "__main__":
    sys.exit(main())
