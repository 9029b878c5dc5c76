"""A judge has a limit of memory of its own: what a test makes of an answer ends there, and is told as the submission's."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.assignment import load_assignment
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.model.verdict import Status
from grader.sandbox.base import Level
from grader.sandbox.registry import BACKENDS
from tests.e2e.toy import toy_course

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel holds no limit of data")

LEVELS = [level for level in (Level.FULL, Level.NONE) if BACKENDS[level].unavailable() is None]

# The test makes 40 GB of an answer of 80 KB, none of which is touched: only a limit keeps it from getting them.
CARELESS = """
import numpy as np
from grader.testing import core, exercise

pytestmark = exercise("toy.double")


@core
def test_values(submission):
    x = submission.double(np.arange(3.0))
    assert np.zeros((len(x), len(x) * 50)).shape[0] == 3
"""

LIMITED = """
import resource, sys
from grader.judge.memory import limit_memory, own_data
from grader.model.manifest import Limits
from grader.worker.rlimits import lift, own_size
before = own_size(open("/proc/self/status", "rb").read()).data
old = resource.getrlimit(resource.RLIMIT_DATA)
limit_memory(own_data(), Limits(reply_mb=16))
soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
room = (soft - before) >> 20
assert hard == old[1] and 4096 + 128 - 8 <= room <= 4096 + 128 + 8, (room, hard)
limit_memory(own_data(), Limits(reply_mb=64))
assert resource.getrlimit(resource.RLIMIT_DATA) == (soft, hard), "a limit that is lower already stays"
lift()
assert resource.getrlimit(resource.RLIMIT_DATA) == (hard, hard)
"""

STARTED = """
import sys
from pathlib import Path
from grader.judge.memory import limit_memory, own_data
from grader.model.manifest import Limits
from grader.sandbox.base import Level, Profile
from grader.sandbox.registry import BACKENDS
def data(pid):
    line = next(l for l in Path(f"/proc/{pid}/limits").read_text().splitlines() if l.startswith("Max data size"))
    return line.split()[3]
free = data("self")
limit_memory(own_data(), Limits())
assert data("self") != free
with BACKENDS[Level.FULL].open(Profile(("numpy",), Limits())) as sandbox:
    assert data(sandbox._zygote._process.pid) == free
"""


@pytest.mark.parametrize("level", LEVELS)
def test_a_test_that_makes_too_much_of_an_answer_fails_the_submission(tmp_path: Path, level: Level) -> None:
    course = toy_course(tmp_path / "course")
    for suite in ("visible", "hidden"):
        (course / "assignments" / "toy" / suite / "test_double.py").write_text(CARELESS, encoding="utf-8")
    toy = load_assignment(course / "assignments" / "toy")
    source = b"import numpy as np\ndef double(x):\n    return np.zeros(10_000)\n"
    found = run_suite(
        Job(assignment=toy.folder, files={"toy.py": base64.b64encode(source)}, backend=level, locked=False), toy
    )
    assert (found.problem, [test.status for test in found.tests]) == (None, [Status.FAILED, Status.FAILED])
    assert all("MemoryError: Unable to allocate" in test.message for test in found.tests)


@pytest.mark.parametrize("level", LEVELS)
def test_a_worker_may_have_more_than_its_judge(tmp_path: Path, level: Level) -> None:
    toy = load_assignment(toy_course(tmp_path / "course", limits="{ memory_mb = 8192 }") / "assignments" / "toy")
    source = b"import numpy as np\ndef double(x):\n    room = np.empty(6 << 30, dtype=np.uint8)\n    return 2 * x\n"
    found = run_suite(Job(assignment=toy.folder, files={"toy.py": base64.b64encode(source)}, backend=level), toy)
    assert (found.problem, {test.status for test in found.tests}) == (None, {Status.PASSED})


def run(script: str) -> None:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_limit_stands_above_what_the_judge_has_and_can_be_lifted() -> None:
    run(LIMITED)


@pytest.mark.skipif(Level.FULL not in LEVELS, reason="this machine refuses namespaces")
def test_what_holds_a_judge_does_not_hold_a_zygote() -> None:
    run(STARTED)
