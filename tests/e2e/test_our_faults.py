"""Faults on our own side: nothing is lost, nothing is half written, nobody loses a point."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.toy import hand_in, toy_course
from tests.faults.compare import differences, reports
from tests.faults.graded import Run, grade
from tests.faults.judges import below, judges, keepers, servers
from tests.faults.processes import Process, alive, children, kill

RIGHT = "def double(x):\n    return 2 * x\n"
# Long enough for whoever looks for the process.
SLOW = "import time\ndef double(x):\n    print('called')\n    time.sleep(1)\n    return 2 * x\n"
LIMITS = "{ cpu_seconds = 60.0, wall_seconds = 120.0 }"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course", limits=LIMITS)


def report(out: Path, student: str) -> dict:
    return json.loads((out / student / "report.json").read_text("utf-8"))


def at_work(grader: int) -> list[tuple[int, Process]]:
    """The judges at work, each after its server's process number."""
    return [(server.pid, judge) for server in servers(grader) for judge in judges(server.pid)]


def killing(victim: str, times: int, *, after: float = 0.0) -> Callable[[int], None]:
    """Kill one process that each of the next judges needs, a while after the judge is there."""

    def watch(grader: int) -> None:
        done: set[Process] = set()
        while len(done) < times and alive(grader):
            for server, judge in at_work(grader):
                victims = VICTIMS[victim](server, judge)
                if judge not in done and victims:
                    time.sleep(after)
                    if kill(victims[0]):
                        done.add(judge)
            time.sleep(0.002)

    return lambda grader: threading.Thread(target=watch, args=[grader]).start()


VICTIMS: dict[str, Callable[[int, Process], list[Process]]] = {
    "judge": lambda _, judge: [judge],
    "keeper": lambda server, judge: [each for each in keepers(server) if judge in children(each.pid)],
    "server": lambda server, _: [found] if (found := alive(server)) else [],
    "way-in": lambda server, _: below(server, 0),
    "zygote": lambda server, _: below(server, 1),
    "worker": lambda server, _: below(server, 2),
}


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("after", [0.0, 0.4])
def test_one_death_changes_nothing_in_the_report(course: Path, tmp_path: Path, victim: str, after: float) -> None:
    submissions = hand_in(course, "ann", SLOW)
    calm = grade(course, [submissions], tmp_path / "calm", "-j", "1")
    out = tmp_path / "out"
    ran = grade(course, [submissions], out, "-j", "1", during=killing(victim, 1, after=after))
    assert (ran.code, calm.code) == (0, 0), ran.said
    assert differences(reports(tmp_path / "calm"), reports(out)) == []
    assert report(out, "ann")["score"] == 10
    assert "attempt given up" in report(out, "ann")["timings"]
    assert ran.left_in_temp == []


@pytest.mark.parametrize("victim", ["judge", "zygote"])
def test_two_deaths_are_our_fault_and_the_next_run_grades(course: Path, tmp_path: Path, victim: str) -> None:
    hand_in(course, "ann", SLOW)
    submissions = hand_in(course, "bob", SLOW)
    out = tmp_path / "out"
    ran = grade(course, [submissions], out, "-j", "1", during=killing(victim, 2))
    assert ran.code == 4
    ann = report(out, "ann")
    assert (ann["status"], ann["score"]) == ("grader_error", None)
    assert ann["assignments"][0]["problem"].startswith("twice: ") or "and again, in a fresh judge" in str(ann)
    assert (report(out, "bob")["status"], report(out, "bob")["score"]) == ("passed", 10)
    assert ran.left_in_temp == []
    assert grade(course, [submissions], out, "-j", "1").code == 0
    assert report(out, "ann")["score"] == 10


@pytest.mark.parametrize("allowed", [16, 63, 70])
def test_with_few_descriptors_a_score_is_right_or_absent(course: Path, tmp_path: Path, allowed: int) -> None:
    hand_in(course, "ann", RIGHT)
    submissions = hand_in(course, "bob", RIGHT)
    out = tmp_path / "out"
    limit = (allowed, allowed)
    ran = grade(
        course, [submissions], out, "-j", "2", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, limit)
    )
    assert ran.code in (0, 4), ran.said
    assert (ran.code == 0) == (allowed >= 64)
    found = [json.loads(path.read_text("utf-8")) for path in out.glob("*/report.json")]
    assert {each["score"] for each in found} <= ({10} if ran.code == 0 else {None})
    assert ran.left_in_temp == []


def test_two_runs_into_one_folder_do_not_mix(course: Path, tmp_path: Path) -> None:
    submissions = hand_in(course, "ann", SLOW)
    out = tmp_path / "out"
    second: list[Run] = []

    def again(grader: int) -> None:
        while not at_work(grader):
            time.sleep(0.01)
        second.append(grade(course, [submissions], out))

    first = grade(course, [submissions], out, during=again)
    assert (first.code, second[0].code) == (0, 2)
    assert second[0].said.endswith(
        f"error: {out}: another run is writing here\nhint: wait for it, or give another --out\n"
    )
    assert report(out, "ann")["score"] == 10


def test_a_log_that_nobody_reads_any_more_stops_no_class(course: Path, tmp_path: Path) -> None:
    hand_in(course, "ann", RIGHT)
    submissions = hand_in(course, "bob", RIGHT)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as log:
        ran = grade(course, [submissions], tmp_path / "out", stderr=log, stdout=log)
    assert ran.code == 0
    assert {report(tmp_path / "out", student)["score"] for student in ("ann", "bob")} == {10}


def test_a_grader_that_is_killed_leaves_whole_reports_and_the_next_run_completes_them(course, tmp_path) -> None:
    for number in range(6):
        submissions = hand_in(course, f"s{number}", RIGHT)
    out = tmp_path / "out"

    def stop(grader: int) -> None:
        while not list(out.glob("*/report.json")):
            time.sleep(0.002)
        os.kill(grader, signal.SIGKILL)

    assert grade(course, [submissions], out, "-j", "2", during=stop).code == -signal.SIGKILL
    for path in out.glob("*/*.json"):
        json.loads(path.read_text("utf-8"))
    (out / "s5").mkdir(exist_ok=True)
    (out / "s5" / ".report.json.0123456789abcdef").write_text("hal")
    assert grade(course, [submissions], out, "-j", "2").code == 0
    assert [report(out, f"s{number}")["score"] for number in range(6)] == [10] * 6
    assert not list(out.rglob(".*"))
