"""A class of the toy course with something of every kind, and one submission on which a worker of the cluster dies."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.toy import hand_in, toy_course

RIGHT = "def double(x):\n    return 2 * x\n"
SLOW = "import time\ntime.sleep(1)\n" + RIGHT
SUBMISSIONS = {
    "ann": RIGHT,
    "bob": "def double(x):\n    return x * x\n",
    "cat": "import os\ndef double(x):\n    os._exit(3)\n",
    "dan": "def double(x:\n",
    "eva": "print('hello')\n" + SLOW,
    "fay": SLOW,
}
STATUSES = {"ann": "passed", "bob": "failed", "cat": "crashed", "dan": "import_error", "eva": "passed", "fay": "passed"}
# A judge is a child of its keeper, that one of its server, and that one of the process which holds the judges.
_POISONED = """
import os
from pathlib import Path


def _above(pid):
    return int(Path(f"/proc/{{pid}}/stat").read_text().rpartition(")")[2].split()[1])


@core
def test_the_machine_survives(submission):
    if submission.double(1.0) == 13.0:
        with open({deaths!r}, "a") as deaths:
            deaths.write("x")
        os.kill(_above(_above(os.getppid())), 9)
"""


def course_and_class(folder: Path) -> Path:
    """Make the course with its class, `course/class`."""
    course = toy_course(folder / "course", limits="{ cpu_seconds = 60.0, wall_seconds = 120.0 }")
    once = course / "assignments" / "toy" / "hidden" / "once.txt"
    once.write_text("a line of the course that is nowhere else", encoding="utf-8")
    for student, source in SUBMISSIONS.items():
        hand_in(course, student, source)
    return course


def poisoned(folder: Path, deaths: Path) -> Path:
    """Make a course in which judging one submission, `ivy`, kills the process that holds the judges, and notes it in a file."""
    course = toy_course(folder / "poisoned")
    home = course / "assignments" / "toy"
    with (home / "hidden" / "test_double.py").open("a", encoding="utf-8") as test:
        test.write(_POISONED.format(deaths=str(deaths)))
    with (home / "tests.lock").open("a", encoding="utf-8") as lock:
        lock.write("hidden   core  toy.double  hidden/test_double.py::test_the_machine_survives\n")
    for student in ("ann", "bob", "cat", "dan"):
        hand_in(course, student, RIGHT)
    hand_in(course, "ivy", "def double(x):\n    return 13.0\n")
    return course
