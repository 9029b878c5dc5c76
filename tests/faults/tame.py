"""Grade a class of the toy course with judges that only wait: what is put to the test is what becomes of their verdicts.

python -m tests.faults.tame COURSE OUT GRADEBOOK
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from grader.batch.ledger import Keeping
from grader.batch.run import grade_all
from grader.course.assignment import load_assignment
from grader.intake.discover import discover
from grader.judge.job import Job
from grader.model.evidence import Evidence, TestEvidence
from grader.model.verdict import Status, Suite, Tier
from grader.pipeline import gather
from grader.pipeline.settings import Settings, prepare

_SECONDS = 0.03


def judge(job: Job, *_: object) -> Evidence:
    """A verdict that depends on the source alone."""
    time.sleep(_SECONDS)
    status = Status.PASSED if b"2 * x" in job.files["toy.py"] else Status.FAILED
    tests = [
        TestEvidence(
            id=name,
            suite=Suite(name.partition("/")[0]),
            tier=Tier.CORE,
            exercise="toy.double",
            status=status,
            seed=seed,
        )
        for name, seed in job.seeds.items()
    ]
    return Evidence(assignment="toy", tests=tests, timings={"now": time.time()})


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main(course: Path, out: Path, gradebook: Path, told: Callable[[str], object] = _print) -> None:
    """Grade, and tell the id of each submission that is finished, with what had to be done for it."""
    gather.judged = judge
    settings = Settings([prepare(load_assignment(course / "assignments" / "toy"))], key=b"k" * 32, backend="none")
    found = discover([course / "class"], ["toy.py"])
    for each in grade_all(found, settings, jobs=2, out=out, keeping=Keeping(gradebook)):
        told(f"{each.row.id} {each.how}\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
