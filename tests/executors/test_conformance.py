"""Whatever executor judges a class, the reports and the gradebook are the same; also where a part of it dies meanwhile."""

from __future__ import annotations

import base64
import functools
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.executors.registry import EXECUTORS
from grader.gradebook.book import Book
from tests.executors.classes import RIGHT, STATUSES, course_and_class
from tests.executors.clusters import Cluster, recorded, scheduler_and_workers
from tests.faults.compare import differences, gradebook, reports
from tests.faults.graded import Run, grade
from tests.faults.processes import alive, kill

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
KEY = "0123456789abcdef" * 4


class Graded(NamedTuple):
    """A run, where its reports are, and what it sent to a scheduler."""

    run: Run
    out: Path
    sent: bytes


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with scheduler_and_workers(tmp_path_factory.mktemp("cluster"), stranger=True) as running:
        yield running


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = course_and_class(tmp_path_factory.mktemp("class"))
    made.with_name("key").write_text(KEY + "\n", encoding="ascii")
    return made


@pytest.fixture(scope="module")
def graded(cluster: Cluster, course: Path) -> Callable[[str], Graded]:
    """The class as each executor grades it, undisturbed."""

    @functools.cache
    def by(executor: str) -> Graded:
        with recorded(cluster.address) as (address, sent):
            options = {"local": ["-j", "1"], "dask": ["--executor", "dask", "--scheduler", address]}
            out = course.with_name(executor)
            return Graded(grade(course, [course / "class"], out, *options[executor]), out, bytes(sent))

    return by


def assert_same(out: Path, other: Path) -> None:
    assert differences(reports(other), reports(out)) == []
    assert gradebook(out / "gradebook.db") == gradebook(other / "gradebook.db")
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    assert [(row["id"], row["status"]) for row in summary["submissions"]] == list(STATUSES.items())


@pytest.mark.parametrize("executor", EXECUTORS)
def test_every_executor_gives_the_same_reports_and_leaves_nothing(
    executor: str, graded: Callable[[str], Graded], cluster: Cluster
) -> None:
    run, out, _ = graded(executor)
    assert run.code == 0, run.said
    assert_same(out, graded("local").out)
    assert run.left_in_temp == []
    assert cluster.is_left()


def test_a_node_with_another_grader_is_named_and_left_out(graded: Callable[[str], Graded]) -> None:
    said = graded("dask").run.said
    assert re.search(r"a node is left out: tcp://127\.0\.0\.1:\d+: its grader is another .* than this one", said)


def test_seeds_leave_this_machine_and_the_course_key_does_not(graded: Callable[[str], Graded]) -> None:
    _, out, sent = graded("dask")
    assert base64.b64encode(RIGHT.encode()) in sent
    report = json.loads((out / "ann" / "report.json").read_text("utf-8"))
    seeds = [test["seed"] for test in report["assignments"][0]["exercises"][0]["tests"]]
    assert [seed for seed in seeds if str(seed).encode() not in sent] == []
    key = bytes.fromhex(KEY)
    forms = [key, key[:16], KEY.encode(), KEY[:20].encode(), base64.b64encode(key)[:-4]]
    assert [form for form in forms if form in sent] == []


def test_the_course_goes_to_each_worker_once(graded: Callable[[str], Graded], course: Path) -> None:
    assert graded("dask").sent.count(_once(course)) == 2


def _once(course: Path) -> bytes:
    """What stands in one file of the course and nowhere else."""
    return (course / "assignments" / "toy" / "hidden" / "once.txt").read_bytes()


def test_a_worker_killed_in_the_middle_costs_a_retry_and_changes_no_report(
    graded: Callable[[str], Graded], course: Path, tmp_path: Path, cluster: Cluster
) -> None:
    def kill_one(grader: int) -> None:
        while not (at_work := cluster.judges()):
            assert alive(grader)
            time.sleep(0.02)
        time.sleep(0.5)
        assert kill(min(at_work.values()))

    calm, out = graded("local").out, tmp_path / "out"
    graded("dask")  # so that the workers hold the course
    with recorded(cluster.address) as (address, sent):
        where = ["--executor", "dask", "--scheduler", address]
        run = grade(course, [course / "class"], out, *where, during=kill_one)
    assert run.code == 0, run.said
    assert "a node is gone, and others take over: the worker tcp://127.0.0.1:" in run.said
    assert_same(out, calm)
    timings = [json.loads((out / each / "report.json").read_text("utf-8"))["timings"] for each in STATUSES]
    assert any("attempt given up" in each for each in timings)
    assert sent.count(_once(course)) <= 1, "only to the one that was started anew"


def test_an_interrupted_run_keeps_what_is_graded_and_frees_the_cluster(
    course: Path, tmp_path: Path, cluster: Cluster
) -> None:
    out = tmp_path / "out"
    pressed = []

    def interrupt(grader: int) -> None:
        while not list(out.glob("*/report.json")):
            assert alive(grader)
            time.sleep(0.02)
        os.kill(grader, signal.SIGINT)
        pressed.append(time.monotonic())

    where = ["--executor", "dask", "--scheduler", str(cluster.file), "-j", "2"]
    run = grade(course, [course / "class"], out, *where, during=interrupt)
    assert time.monotonic() - pressed[0] < 20
    assert run.code == 130, run.said
    done = {path.parent.name for path in out.glob("*/report.json")}
    assert done
    assert done < set(STATUSES)
    with Book(out / "gradebook.db", must_exist=True) as book:
        assert {student for (student,) in book.rows("SELECT student FROM submissions")} == done
    assert cluster.is_left()
