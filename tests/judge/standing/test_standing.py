"""A judge that stays says what a judge says that is spawned for one job, as often as it is asked."""

from __future__ import annotations

import base64
import os
import threading
from pathlib import Path

import pytest

from grader.course.locate import load_assignments
from grader.judge.job import Job
from grader.judge.run import Stopped, run_suite
from grader.judge.standing.client import StandingJudge
from grader.kit.make import make_kit
from grader.model.evidence import Evidence
from grader.model.verdict import Status, Suite
from grader.sandbox.base import Level
from tests.conftest import ROOT

RIGHT = (ROOT / "reference" / "attention.py").read_text("utf-8")
COLUMNS = (
    RIGHT + "\n\ndef softmax(x, axis=-1):\n    e = np.exp(x - x.max())\n    return e / e.sum(axis=0, keepdims=True)\n"
)
HANGS = RIGHT + "\n\ndef softmax(x, axis=-1):\n    while True:\n        pass\n"


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("standing") / "kit"
    make_kit(folder, load_assignments(ROOT, ["attention"]))
    return folder


@pytest.fixture(scope="module")
def judge(kit: Path):
    [assignment] = load_assignments(kit, ["attention"])
    with StandingJudge(assignment) as judge:
        yield judge


def job(kit: Path, text: str, *exercises: str, **other: object) -> Job:
    return Job(
        assignment=kit / "assignments" / "attention",
        files={"attention.py": base64.b64encode(text.encode())},
        suites=[Suite.VISIBLE],
        exercises=list(exercises),
        locked=False,
        backend=Level.NONE,
        **other,
    )


def told(evidence: Evidence) -> dict[str, object]:
    return evidence.model_dump(exclude={"timings"})


@pytest.mark.parametrize(
    "text",
    [COLUMNS, RIGHT, "def ("],
    ids=["wrong", "right", "syntax"],
)
def test_it_says_what_a_spawned_judge_says(kit: Path, judge: StandingJudge, text: str) -> None:
    [assignment] = load_assignments(kit, ["attention"])
    asked = job(kit, text, "attention.softmax")
    assert told(judge.run(asked, assignment)) == told(run_suite(asked, assignment))


def test_each_run_finds_a_fresh_process(kit: Path, judge: StandingJudge) -> None:
    [assignment] = load_assignments(kit, ["attention"])
    spoils = RIGHT.replace("import numpy as np", "import numpy as np\nassert not hasattr(np, 'met')\nnp.met = 1")
    for _ in range(2):
        found = judge.run(job(kit, spoils, "attention.softmax"), assignment)
        assert {test.status for test in found.tests} == {Status.PASSED}


def test_what_passed_already_is_not_run_for_those_that_need_it(kit: Path, judge: StandingJudge) -> None:
    [assignment] = load_assignments(kit, ["attention"])
    settled = ["attention.softmax", "attention.scores"]
    found = judge.run(job(kit, RIGHT, "attention.weights", settled=settled), assignment)
    assert {test.exercise for test in found.tests} == {"attention.weights"}
    # What was asked for is run, whatever is settled.
    asked = job(kit, RIGHT, "attention.softmax", settled=settled)
    assert {test.exercise for test in judge.run(asked, assignment).tests} == {"attention.softmax"}


def test_a_run_that_is_stopped_has_no_verdict_and_the_next_one_has(kit: Path, judge: StandingJudge) -> None:
    [assignment] = load_assignments(kit, ["attention"])
    stop = threading.Event()
    threading.Timer(1.0, stop.set).start()
    with pytest.raises(Stopped):
        judge.run(job(kit, HANGS, "attention.softmax"), assignment, stop)
    assert judge.run(job(kit, RIGHT, "attention.qkv"), assignment).problem is None


def test_a_judge_that_is_killed_is_told_and_the_next_run_finds_a_fresh_one(kit: Path, judge: StandingJudge) -> None:
    [assignment] = load_assignments(kit, ["attention"])
    judge.run(job(kit, RIGHT, "attention.qkv"), assignment)
    assert judge._process
    judge._process.kill()
    judge._process.wait()
    assert judge.run(job(kit, RIGHT, "attention.qkv"), assignment).problem is None


def test_a_suite_that_cannot_be_collected_is_the_courses_fault_each_time(tmp_path: Path) -> None:
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["attention"]))
    (tmp_path / "kit/assignments/attention/visible/test_softmax.py").write_text("def (", encoding="utf-8")
    [assignment] = load_assignments(tmp_path / "kit", ["attention"])
    with StandingJudge(assignment) as judge:
        for _ in range(2):
            found = judge.run(job(tmp_path / "kit", RIGHT, "attention.qkv"), assignment)
            assert "cannot be collected" in str(found.problem)
            assert found.course_fault


def test_nothing_of_it_lives_on(kit: Path) -> None:
    [assignment] = load_assignments(kit, ["attention"])
    with StandingJudge(assignment) as judge:
        judge.run(job(kit, RIGHT, "attention.qkv"), assignment)
        assert judge._process
        pid = judge._process.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
