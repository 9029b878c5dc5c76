"""What a node does for a run: it takes the course, judges in processes of their own, and keeps nothing when the run leaves."""

from __future__ import annotations

import asyncio
import base64
import inspect
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from grader.course.assignment import Assignment, load_assignment
from grader.executors import held, node
from grader.executors.held import Held
from grader.executors.packed import PackedCourse, packed
from grader.executors.words import Fit, Seen
from grader.judge.job import Job
from grader.judge.run import Stopped
from grader.model.evidence import Evidence
from grader.model.verdict import Status
from grader.pipeline.ground import environment
from grader.sandbox.registry import BACKENDS
from tests.e2e.toy import toy_course
from tests.executors.fake import dask_worker

RIGHT = b"def double(x):\n    return 2 * x\n"


@pytest.fixture
def toy(tmp_path: Path) -> Assignment:
    return load_assignment(toy_course(tmp_path / "course") / "assignments" / "toy")


@pytest.fixture
def bundle(toy: Assignment) -> PackedCourse:
    return packed([toy])


def take(folder: Path, bundle: PackedCourse, run: str = "run", level: str = "none") -> Fit:
    told = asyncio.run(node.take(run, bundle.digest, bundle.content, level, dask_worker(folder)))
    return Fit.model_validate_json(told)


def asked(source: bytes = RIGHT) -> str:
    files = {"toy.py": base64.b64encode(source)}
    return Job(assignment=Path("assignments/toy"), files=files, backend="none").model_dump_json()


def test_it_says_what_it_is_takes_the_course_judges_and_forgets(tmp_path: Path, toy, bundle) -> None:
    files = tmp_path / "files"
    assert not Seen.model_validate_json(node.look(bundle.digest, dask_worker(files))).holds
    assert take(files, bundle) == Fit(environments={"toy": environment(toy.manifest)}, level="none")
    assert Seen.model_validate_json(node.look(bundle.digest, dask_worker(files))).holds
    found = Evidence.model_validate_json(node.judge("run", asked()))
    assert found.problem is None
    assert {test.status for test in found.tests} == {Status.PASSED}
    asyncio.run(node.leave("run"))
    assert node.judge("run", asked()) == ""


def test_a_run_that_left_or_never_came_is_known_by_an_empty_answer(tmp_path: Path) -> None:
    assert node.judge("nobody", asked()) == ""
    asyncio.run(node.leave("nobody"))


def test_what_goes_wrong_is_told_and_never_raised_for_dask_would_log_the_arguments(
    tmp_path, bundle, monkeypatch
) -> None:
    assert "damaged" in take(tmp_path / "a", bundle._replace(content=b"half of it")).problem
    (tmp_path / "b").write_text("no folder")
    assert "Error" in take(tmp_path / "b", bundle).problem
    monkeypatch.setattr(type(BACKENDS["full"]), "unavailable", lambda _: "no user namespaces")
    fit = take(tmp_path / "c", bundle, level="full")
    assert fit.problem == "it gives no sandbox of level full: no user namespaces"
    assert fit.level is None
    assert node.judge("run", asked()) == "", "none of them was taken for a run"


def test_a_fault_while_judging_is_evidence_of_ours(tmp_path: Path, bundle, monkeypatch) -> None:
    take(tmp_path, bundle)

    def fail(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(node._RUNS["run"], "run", fail)
    assert "no space left" in (Evidence.model_validate_json(node.judge("run", asked())).problem or "")
    monkeypatch.undo()
    asyncio.run(node.leave("run"))


def test_leaving_ends_judges_at_work_and_what_comes_later_is_not_begun(tmp_path: Path, toy) -> None:
    made, begun = Held(toy.course), threading.Event()
    ends: list[object] = []

    def work(_job: object, _assignment: object, stop: threading.Event) -> None:
        begun.set()
        assert stop.wait(10)
        raise Stopped

    made._slots.run = work

    def run() -> None:
        with pytest.raises(Stopped) as told:
            made.run(None, toy)
        ends.append(told)

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(10)
    made.close()
    thread.join(10)
    assert len(ends) == 1
    with pytest.raises(Stopped):
        made.run(None, toy)


def test_what_a_killed_client_left_is_ended_when_another_run_comes(tmp_path: Path, bundle, monkeypatch) -> None:
    take(tmp_path, bundle, "old")
    assert not node._RUNS["old"].is_forgotten()
    monkeypatch.setattr(held, "_FORGOTTEN_SECONDS", 0.0)
    time.sleep(0.01)
    take(tmp_path, bundle, "new")
    assert "old" not in node._RUNS
    asyncio.run(node.leave("new"))


def test_all_that_dask_calls_can_be_called_by_name_and_with_plain_values() -> None:
    for name in ("look", "take", "judge", "leave"):
        function = getattr(node, name)
        assert (function.__module__, function.__qualname__) == ("grader.executors.node", name)
        kinds = {each.annotation for each in inspect.signature(function).parameters.values()}
        assert kinds <= {"str", "bytes", "Any"}


def test_neither_a_node_nor_the_usual_way_of_grading_imports_dask() -> None:
    code = "import sys, grader.batch.command, grader.executors.node; sys.exit('distributed' in sys.modules or 'dask' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
