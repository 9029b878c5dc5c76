"""Submissions per second, this grader and others side by side.

python -m tests.benchmarks.throughput [--tests 10 --tests 30] [--flavour numpy] [--otter PYTHON] [--nbgrader PYTHON] [--json FILE]

In a round each contender grades the same submissions, all right and no two alike, on the same core; two slots have two. The grader runs at
its strongest level of isolation, and reads, judges, scores, keeps and reports; the others isolate nothing. Otter-grader and nbgrader are
measured where an interpreter has them, which may be another one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from grader.sandbox.base import Level
from grader.sandbox.registry import best
from tests.benchmarks.throughput.contenders import CONTENDERS
from tests.benchmarks.throughput.flavour import FLAVOURS, cases
from tests.benchmarks.throughput.ground import Ground
from tests.benchmarks.throughput.nbgrader import NBGRADER
from tests.benchmarks.throughput.otter import OTTER
from tests.benchmarks.throughput.rounds import Asked, measured
from tests.benchmarks.throughput.table import Measurement, measurement, shown


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--tests", type=int, action="append", help="How many tests; may be given again (10, 30, 100)")
    made.add_argument("--flavour", choices=FLAVOURS, action="append", help="May be given again; all where not given")
    made.add_argument("--contender", choices=CONTENDERS, action="append", help="Likewise")
    made.add_argument("--rounds", type=int, default=5)
    made.add_argument("--batch", type=int, default=20, help="Submissions a round")
    made.add_argument("--otter", type=Path, metavar="PYTHON", help="An interpreter that has otter-grader")
    made.add_argument("--nbgrader", type=Path, metavar="PYTHON", help="An interpreter that has nbgrader")
    made.add_argument("--json", type=Path, metavar="FILE", help="Write all numbers there too")
    return made


def main(words: Sequence[str] | None = None) -> list[Measurement]:
    """Measure, print each table when it is known, and return them."""
    options = parser().parse_args(words)
    os.environ["OMP_NUM_THREADS"] = "1"  # as many as there are cores would wait for one another on the one
    OTTER.python, NBGRADER.python = options.otter or OTTER.python, options.nbgrader or NBGRADER.python
    contenders = {name: CONTENDERS[name] for name in options.contender or CONTENDERS}
    asked = Asked(options.rounds, options.batch)
    sys.stdout.write(f"level {best(Level.CONTAINER).level}; {asked.rounds} rounds of {asked.batch} submissions\n")
    found = []
    for flavour, tests in cases(options.flavour or [*FLAVOURS], options.tests or [10, 30, 100]):
        with tempfile.TemporaryDirectory(prefix="throughput-") as folder:
            ground = Ground(Path(folder), flavour, tests)
            found.append(measurement(ground, measured(contenders, ground, asked, sys.stdout.write)))
        sys.stdout.write(shown(found[-1]))
        sys.stdout.flush()
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in found], indent=2), encoding="utf-8")
    return found


if __name__ == "__main__":
    main()
