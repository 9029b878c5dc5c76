"""Grade a class that has not changed once more, and say what that takes.

python -m tests.benchmarks.unchanged [--size 3000] [--most SECONDS]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import ROOT
from tests.e2e.toy import hand_in, toy_course
from tests.faults import tame
from tests.faults.tame import main as grade_with_tame_judges


def main() -> int:
    """Grade twice, and time the second run as a process of its own: exit 1 where it takes longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=3000)
    parser.add_argument("--most", type=float, default=2.0, help="Seconds of processor time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="unchanged-") as folder:
        course, out = toy_course(Path(folder) / "course"), Path(folder) / "out"
        for number in range(options.size):
            hand_in(course, f"s{number:05}", f"def double(x):\n    return {2 + number % 2} * x\n")
        tame._SECONDS = 0.0
        started = time.perf_counter()
        grade_with_tame_judges(course, out, out / "gradebook.db", told=lambda _: None)
        first = time.perf_counter() - started
        cpu, wall = _once_more(course, out)
    sys.stdout.write(
        f"{options.size} submissions: first {first:.1f} s without judging, unchanged {cpu:.2f} s of processor time, {wall:.2f} s\n"
    )
    return int(cpu > options.most)


def _once_more(course: Path, out: Path) -> tuple[float, float]:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "tests.faults.tame", *map(str, (course, out, out / "gradebook.db"))]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert {line.split()[1] for line in said.splitlines()} == {"left"}
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


if __name__ == "__main__":
    sys.exit(main())
