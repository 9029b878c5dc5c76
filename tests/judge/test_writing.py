"""An exercise that writes files is no fault of the student's where a sandbox has no place for them."""

import base64

import pytest

from grader.course.assignment import load_assignment
from grader.judge.job import Job
from grader.judge.run import run_suite
from grader.model.verdict import Status
from grader.sandbox.base import Level
from grader.sandbox.registry import BACKENDS
from tests.e2e.toy import toy_course

WRITES = b"def double(x):\n    with open('kept', 'w') as file:\n        file.write('here')\n    return 2 * x\n"


@pytest.mark.parametrize(
    ("level", "status"),
    [(Level.FULL, Status.PASSED), (Level.NONE, Status.PASSED), (Level.CONTAINER, Status.GRADER_ERROR)],
)
def test_where_there_is_no_place_the_grader_says_so_and_takes_no_points(tmp_path, level, status):
    if reason := BACKENDS[level].unavailable():
        pytest.skip(reason)
    home = toy_course(tmp_path) / "assignments" / "toy"
    manifest = home / "assignment.toml"
    manifest.write_text(manifest.read_text("utf-8") + "writes_files = true\n", encoding="utf-8")
    job = Job(assignment=home, files={"toy.py": base64.b64encode(WRITES)}, backend=level)
    found = run_suite(job, load_assignment(home))
    assert {test.status for test in found.tests} == {status}, found
    if status is Status.GRADER_ERROR:
        assert "at level container there is no place" in found.tests[0].message
