"""A warm judge gives what a spawned one gives, again and again, and whatever happens to it costs that one submission."""

from __future__ import annotations

import base64
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from grader.course.assignment import Assignment, load_assignment
from grader.judge.job import Job
from grader.judge.run import Stopped, run_suite
from grader.judge.warm import slot as module
from grader.judge.warm.slot import Slot
from grader.model.errors import SandboxUnavailableError
from grader.model.evidence import Evidence
from grader.model.verdict import Status
from grader.sandbox.base import Level
from grader.sandbox.registry import best
from tests.e2e.toy import toy_course
from tests.faults.processes import Process, alive, children

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="judges are warm where there is fork")

RIGHT = b"def double(x):\n    return 2 * x\n"
SUBMISSIONS = {
    "right": RIGHT,
    "wrong": b"def double(x):\n    return x\n",
    "squares": b"def double(x):\n    return x * x\n",
    "no-python": b"def double(x:\n",
    "to-do": b"def double(x):\n    raise NotImplementedError('toy.double')\n",
    "prints": b"print('hello')\n" + RIGHT,
    "ends": b"import os\n\ndef double(x):\n    os._exit(3)\n",
    "eats": b"def double(x):\n    return bytearray(10**10)\n",
}


@pytest.fixture
def toy(tmp_path: Path) -> Assignment:
    return load_assignment(toy_course(tmp_path / "course") / "assignments" / "toy")


@pytest.fixture(autouse=True)
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own."""
    folder = tmp_path / "temp"
    folder.mkdir()
    folder.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def slot(temp: Path):
    """A slot, of which nothing may be left afterwards: no process and no file."""
    with Slot() as found:
        yield found
        server = found._server
        processes = below(server.pid) if server else []
    deadline = time.monotonic() + 10
    while any(alive(each.pid) == each for each in processes) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [each for each in processes if alive(each.pid) == each] == []
    assert list(temp.iterdir()) == []


def below(pid: int) -> list[Process]:
    found = children(pid)
    return found + [inner for each in found for inner in below(each.pid)]


def level() -> Level:
    try:
        return best(Level.WEAK).level
    except SandboxUnavailableError as error:
        pytest.skip(str(error))


def job(toy: Assignment, source: bytes = RIGHT, **more) -> Job:
    return Job(assignment=toy.folder, files={"toy.py": base64.b64encode(source)}, backend=level(), **more)


def bare(evidence: Evidence) -> Evidence:
    return evidence.model_copy(update={"timings": {}})


def statuses(evidence: Evidence) -> set[Status]:
    assert evidence.problem is None, evidence.problem
    return {test.status for test in evidence.tests}


def test_evidence_is_that_of_a_judge_that_was_spawned(toy, slot) -> None:
    for name, source in SUBMISSIONS.items():
        assert bare(slot.run(job(toy, source), toy)) == bare(run_suite(job(toy, source), toy)), name
    assert len(slot._keepers) == 1


def test_only_the_tests_that_a_job_wants_are_run_and_the_next_job_has_all(toy, slot) -> None:
    one = slot.run(job(toy, tests=["hidden/test_double.py::test_values"], locked=False), toy)
    assert [test.id for test in one.tests] == ["hidden/test_double.py::test_values"]
    assert len(slot.run(job(toy), toy).tests) == 2


def test_a_course_that_cannot_be_collected_is_at_fault_for_every_job(toy, slot) -> None:
    (toy.folder / "hidden" / "test_double.py").write_text("def test_(:\n", encoding="utf-8")
    for _ in range(2):
        found = slot.run(job(toy), toy)
        assert found.course_fault
        assert "cannot be collected" in found.problem
    assert bare(found) == bare(run_suite(job(toy), toy))


def test_an_assignment_that_is_gone_is_told(toy, slot) -> None:
    gone = toy.folder.with_name("gone")
    found = slot.run(job(toy).model_copy(update={"assignment": gone}), toy)
    assert found.course_fault


@pytest.mark.parametrize("who", ["judge", "keeper", "server"])
def test_what_is_killed_costs_one_submission_and_the_next_is_judged(toy, slot, who) -> None:
    slot.run(job(toy), toy)

    def kill() -> None:
        time.sleep(0.7)
        keeper = next(iter(slot._keepers.values())).pid
        server = slot._server.pid
        judge = next((each.pid for each in children(keeper)), keeper)
        module.os.kill({"judge": judge, "keeper": keeper, "server": server}[who], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    found = slot.run(job(toy, b"import time\ntime.sleep(2.5)\n" + RIGHT), toy)
    killer.join()
    assert found.problem, who
    assert not found.course_fault
    assert statuses(slot.run(job(toy), toy)) == {Status.PASSED}


def test_a_run_that_is_stopped_leaves_at_once(toy, slot) -> None:
    slot.run(job(toy), toy)
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Stopped):
        slot.run(job(toy, b"import time\ntime.sleep(8)\n" + RIGHT), toy, stop)
    assert time.monotonic() - started < 6
    assert statuses(slot.run(job(toy), toy)) == {Status.PASSED}


def test_a_judge_that_hangs_is_given_up(toy, slot, monkeypatch) -> None:
    slot.run(job(toy), toy)
    monkeypatch.setattr(module, "deadline", lambda _: 0.5)
    monkeypatch.setattr(module, "_START_SECONDS", 0.0)
    found = slot.run(job(toy, b"import time\ntime.sleep(8)\n" + RIGHT), toy)
    assert "did not end within" in found.problem


def test_a_keeper_makes_way_after_so_many_jobs(toy, slot, monkeypatch) -> None:
    monkeypatch.setattr(module, "_MOST_JOBS", 2)
    pids = []
    for _ in range(4):
        assert statuses(slot.run(job(toy), toy)) == {Status.PASSED}
        pids += [keeper.pid for keeper in slot._keepers.values()]
    assert len(pids) == len(set(pids)) == 2


def test_a_submission_finds_nothing_of_the_one_before(toy, slot) -> None:
    leaves = b"import builtins, pathlib, numpy\nnumpy.left = 1\nbuiltins.left = 1\n"
    looks = b"import builtins, numpy\nassert not hasattr(numpy, 'left') and not hasattr(builtins, 'left')\n"
    slot.run(job(toy, leaves + RIGHT), toy)
    assert statuses(slot.run(job(toy, looks + RIGHT), toy)) == {Status.PASSED}
