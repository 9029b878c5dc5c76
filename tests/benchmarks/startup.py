"""Start-up and the student's loop, beside what they cannot go below.

python -m tests.benchmarks.startup
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 11
COMMANDS = {
    "python -c 'import click'": [sys.executable, "-c", "import click"],
    "grader --help": [sys.executable, "-m", "grader", "--help"],
    "python -c 'import numpy, pytest'": [sys.executable, "-c", "import numpy, pytest"],
    "grader check attention.softmax": [
        sys.executable,
        "-m",
        "grader",
        "check",
        "attention.softmax",
        "--course",
        str(ROOT),
    ],
}
PAIRS = {
    "grader --help": "python -c 'import click'",
    "grader check attention.softmax": "python -c 'import numpy, pytest'",
}


def seconds(command: list[str], cwd: Path) -> float:
    """Wall-clock seconds of one run."""
    started = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    """Print the median of each command, and the ratio of each pair."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "attention.py").write_bytes((ROOT / "reference" / "attention.py").read_bytes())
        rounds = [{name: seconds(command, work) for name, command in COMMANDS.items()} for _ in range(ROUNDS + 1)][1:]
    for name in COMMANDS:
        times = [each[name] for each in rounds]
        sys.stdout.write(
            f"{name:<34} median {statistics.median(times):.3f} s  ({min(times):.3f} to {max(times):.3f})\n"
        )
    for name, floor in PAIRS.items():
        ratios = [each[name] / each[floor] for each in rounds]
        sys.stdout.write(f"{name} / {floor}: median {statistics.median(ratios):.2f}\n")


if __name__ == "__main__":
    main()
