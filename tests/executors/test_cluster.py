"""A submission is judged on one node; what was lost is tried once more, alone; nothing waits for ever."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.course.assignment import Assignment, load_assignment
from grader.executors import cluster as module
from grader.executors import watch
from grader.executors.base import Place
from grader.executors.cluster import ClusterExecutor
from grader.executors.link import LostError
from grader.executors.words import Fit
from grader.judge.again import judged
from grader.judge.job import Job
from grader.judge.run import Stopped
from grader.model.errors import GraderError
from grader.model.evidence import Evidence
from grader.pipeline.ground import environment
from grader.sandbox.base import Level
from tests.e2e.toy import toy_course
from tests.executors.fake import A, B, FakeLink, FakeTask
from tests.executors.test_watch import until

FOUND = Evidence(assignment="toy")


@pytest.fixture
def toy(tmp_path: Path) -> Assignment:
    return load_assignment(toy_course(tmp_path / "course") / "assignments" / "toy")


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOOK_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(watch, "_EVERY_SECONDS", 0.01)


@pytest.fixture
def link(toy: Assignment) -> FakeLink:
    made = FakeLink(A)
    made.fit = Fit(environments={"toy": environment(toy.manifest)}, level=Level.FULL)
    made.on_submit = lambda task: task.end(FOUND.model_dump_json())
    return made


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def executor(link: FakeLink, toy: Assignment, said: list[str]) -> Iterator[ClusterExecutor]:
    with ClusterExecutor(Place([toy], None, Level.FULL, say=said.append), link, patience=0.3) as made:
        yield made


def job(toy: Assignment, student: str = "ann") -> Job:
    return Job(assignment=toy.folder, files={"toy.py": b"cGFzcw=="}, student=student, seeds={"a": 7})


def test_what_goes_out_names_no_folder_of_this_machine_and_what_comes_back_is_the_evidence(
    executor, link, toy, tmp_path: Path
) -> None:
    assert executor.run(job(toy), toy) == FOUND
    asked = json.loads(link.tasks[0].asked)
    assert (asked["assignment"], asked["seeds"]) == ("assignments/toy", {"a": 7})
    assert str(tmp_path) not in link.tasks[0].asked


def test_three_are_under_way_for_each_thread_unless_told_otherwise(executor, link, toy) -> None:
    assert executor.jobs == 3
    with ClusterExecutor(Place([toy], 7, Level.FULL), link) as other:
        assert other.jobs == 7


def test_a_lost_submission_is_tried_once_more_on_what_is_there_then(executor, link, toy, said) -> None:
    def lose_the_first(task: FakeTask) -> None:
        if len(link.tasks) == 1:
            link.there = [B]
        else:
            task.end(FOUND.model_dump_json())

    link.on_submit = lose_the_first
    found = judged(job(toy), toy, None, executor.run)
    assert found.problem is None
    assert "attempt given up" in found.timings
    assert [task.address for task in link.tasks] == [A.address, B.address]
    assert link.tasks[0].cancelled
    assert f"the worker {A.address} was lost" in said[0]


def test_a_poisoned_submission_is_given_up_and_takes_no_other_with_it_the_second_time(executor, link, toy) -> None:
    homes = iter(f"/anew-{number}" for number in range(100))

    def end(task: FakeTask, home: str) -> None:
        if link.there[0].home == home:
            task.end(FOUND.model_dump_json())

    def die(task: FakeTask) -> None:
        if '"poison"' in task.asked:
            link.there = [A._replace(home=next(homes))]
        else:
            threading.Timer(0.05, end, [task, link.there[0].home]).start()

    link.on_submit = die
    problems: dict[str, str | None] = {}

    def run(student: str) -> None:
        problems[student] = judged(job(toy, student), toy, None, executor.run).problem

    threads = [threading.Thread(target=run, args=[student], daemon=True) for student in ("poison", "ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert (problems["ann"], problems["bob"]) == (None, None)
    assert f"the worker {A.address} was lost" in (problems["poison"] or "")
    assert sum('"poison"' in task.asked for task in link.tasks) == 2


@pytest.mark.parametrize("said_", ["", "nonsense", "{}"], ids=["knows-nothing-of-the-run", "nonsense", "no-evidence"])
def test_an_answer_that_is_none_is_a_fault_of_ours(executor, link, toy, said_: str) -> None:
    link.on_submit = lambda task: task.end(said_)
    assert A.address in (executor.run(job(toy), toy).problem or "")


def test_a_fault_of_dask_is_a_fault_of_ours(executor, link, toy) -> None:
    link.on_submit = lambda task: task.end(LostError("KilledWorker: it was tried four times"))
    assert "four times" in (executor.run(job(toy), toy).problem or "")


def test_a_run_that_is_stopped_cancels_what_is_under_way(executor, link, toy) -> None:
    stop = threading.Event()
    link.on_submit = lambda _: stop.set()
    with pytest.raises(Stopped):
        executor.run(job(toy), toy, stop)
    assert link.tasks[0].cancelled


def test_where_no_node_is_left_or_the_scheduler_is_gone_the_run_ends(executor, link, toy) -> None:
    link.on_submit = lambda _: link.there.clear()
    with pytest.raises(GraderError, match="has no worker"):
        judged(job(toy), toy, None, executor.run)
    link.there = [A]
    until(lambda: executor._nodes.addresses == [A.address])
    link.on_submit = lambda _: setattr(link, "gone", True)
    with pytest.raises(GraderError, match="the cluster is gone"):
        executor.run(job(toy), toy)


def test_nodes_are_told_that_it_leaves(link, toy) -> None:
    with ClusterExecutor(Place([toy], None, Level.FULL), link):
        pass
    assert link.calls[-1][:2] == (A.address, "leave")
    assert link.closed


def test_where_no_node_is_fit_nothing_is_left_open(link, toy) -> None:
    link.fit = Fit(problem="no namespaces")
    with pytest.raises(GraderError, match=f"{A.address}: no namespaces"):
        ClusterExecutor(Place([toy], None, Level.FULL), link)
    assert link.closed
