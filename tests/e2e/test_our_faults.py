"""Faults on our own side: nothing is lost, nothing is half written, nobody loses a point."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.toy import hand_in, toy_course
from tests.faults import mounted
from tests.faults.compare import differences, reports
from tests.faults.graded import Run, grade
from tests.faults.processes import alive, arguments, children, children_by_thread, kill

RIGHT = "def double(x):\n    return 2 * x\n"
# Long enough for whoever looks for the process.
SLOW = "import time\ndef double(x):\n    print('called')\n    time.sleep(1)\n    return 2 * x\n"
LIMITS = "{ cpu_seconds = 60.0, wall_seconds = 120.0 }"
EMPTY = ["summary.csv", "summary.json"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc and mounts disks")
mounts = pytest.mark.skipif(mounted.refusal() is not None, reason=str(mounted.refusal()))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course", limits=LIMITS)


def report(out: Path, student: str) -> dict:
    return json.loads((out / student / "report.json").read_text("utf-8"))


def judges(grader: int) -> list[int]:
    """The judges at work, by process number."""
    below = [child for each in children_by_thread(grader).values() for child in each]
    return [pid for pid in below if alive(pid) and arguments(pid)[-1:] == [b"grader.judge"]]


def descend(pid: int, depth: int) -> list[int]:
    """The living processes that many levels below one."""
    level = [pid]
    for _ in range(depth):
        level = [child.pid for each in level for child in children(each)]
    return level


def killing(depth: int, times: int, *, after: float = 0.0) -> Callable[[int], None]:
    """Kill what stands `depth` below each of the next judges, a while after it is there."""

    def watch(grader: int) -> None:
        done: set[int] = set()
        while len(done) < times and alive(grader):
            for judge in judges(grader):
                victims = [found for pid in descend(judge, depth) if (found := alive(pid))]
                if judge not in done and victims:
                    time.sleep(after)
                    if kill(victims[0]):
                        done.add(judge)
            time.sleep(0.002)

    return lambda grader: threading.Thread(target=watch, args=[grader]).start()


DEPTHS = {"judge": 0, "way-in": 1, "zygote": 2, "worker": 3}


@pytest.mark.parametrize("victim", DEPTHS)
@pytest.mark.parametrize("after", [0.0, 0.4])
def test_one_death_changes_nothing_in_the_report(course: Path, tmp_path: Path, victim: str, after: float) -> None:
    submissions = hand_in(course, "ann", SLOW)
    calm = grade(course, [submissions], tmp_path / "calm", "-j", "1")
    out = tmp_path / "out"
    ran = grade(course, [submissions], out, "-j", "1", during=killing(DEPTHS[victim], 1, after=after))
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
    ran = grade(course, [submissions], out, "-j", "1", during=killing(DEPTHS[victim], 2))
    assert ran.code == 4
    ann = report(out, "ann")
    assert (ann["status"], ann["score"]) == ("grader_error", None)
    assert ann["assignments"][0]["problem"].startswith("twice: ") or "and again, in a fresh judge" in str(ann)
    assert (report(out, "bob")["status"], report(out, "bob")["score"]) == ("passed", 10)
    assert ran.left_in_temp == []
    assert grade(course, [submissions], out, "-j", "1").code == 0
    assert report(out, "ann")["score"] == 10


@mounts
@pytest.mark.parametrize("size", ["4k", "28k", "64k"])
def test_on_a_disk_that_fills_up_reports_are_whole_or_absent(course: Path, tmp_path: Path, size: str) -> None:
    for number in range(8):
        submissions = hand_in(course, f"s{number}", RIGHT)
    out, kept = tmp_path / "out", tmp_path / "kept"
    out.mkdir()
    # What the run left is copied from the disk that it alone sees.
    under = mounted.under(mounted.full(out, size))
    script = f"\"$@\"; code=$?; cp -a '{out}/.' '{kept}'; exit $code"
    ran = grade(course, [submissions], out, "-j", "2", prefix=[*under, "sh", "-c", script, "sh"])
    assert ran.code == 4
    assert "cannot be written: No space left on device" in ran.said
    assert ran.said.count("error:") == 1
    assert "Traceback" not in ran.said
    students = {path.name for path in kept.iterdir() if path.is_dir()}
    assert len(students) <= int(size.removesuffix("k")) // 8, "a page for each of two reports"
    for student in students:
        assert sorted(path.name for path in (kept / student).iterdir()) == ["report.json", "report.student.json"]
        assert report(kept, student)["score"] == 10
    assert [path.name for path in kept.iterdir() if path.is_file() and path.name not in EMPTY] == []
    assert ran.left_in_temp == []


@mounts
def test_a_folder_that_cannot_be_written_to_is_told_before_anything_is_graded(course: Path, tmp_path: Path) -> None:
    submissions = hand_in(course, "ann", "import time\ntime.sleep(600)\n")
    out = tmp_path / "out"
    out.mkdir()
    ran = grade(course, [submissions], out, prefix=mounted.under(mounted.read_only(out)))
    assert ran.code == 2
    assert ran.said.endswith(f"error: {out}: cannot be written to: Read-only file system\nhint: give another --out\n")
    assert list(out.iterdir()) == []


@mounts
def test_without_a_temporary_folder_nobody_is_judged_and_nobody_loses_a_point(course: Path, tmp_path: Path) -> None:
    submissions = hand_in(course, "ann", RIGHT)
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "out-temp").mkdir()
    elsewhere = [folder for folder in map(Path, ("/tmp", "/var/tmp", "/usr/tmp")) if folder.exists()]  # noqa: S108 - Python's own choices
    script = [mounted.without_files(tmp_path / "out-temp"), *map(mounted.read_only, [course, *elsewhere])]
    script += [mounted.without_files(tmp_path / "out-temp"), "true"]
    script = [f"mount --bind '{out}' /mnt", *script, f"mount --move /mnt '{out}'"]
    (tmp_path / "key").write_text("0" * 64)
    ran = grade(course, [submissions], out, prefix=mounted.under("; ".join(script)))
    assert ran.code == 4, ran.said
    assert "Traceback" not in ran.said
    assert "no judge could be had" in report(out, "ann")["assignments"][0]["problem"]
    assert report(out, "ann")["score"] is None
    assert grade(course, [submissions], out).code == 0


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
        while not judges(grader):
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


# A clock on the wall that leaps a day at every look, now forward, now back.
LEAPING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static long leap(void) { static long looks; return (++looks % 2 ? 1 : -1) * 86400 * (looks % 7); }
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(clock, now);
    if (!code && clock == CLOCK_REALTIME) now->tv_sec += leap();
    return code;
}
time_t time(time_t *now) {
    struct timespec seen;
    clock_gettime(CLOCK_REALTIME, &seen);
    if (now) *now = seen.tv_sec;
    return seen.tv_sec;
}
int gettimeofday(struct timeval *now, void *zone) {
    struct timespec seen;
    clock_gettime(CLOCK_REALTIME, &seen);
    now->tv_sec = seen.tv_sec;
    now->tv_usec = seen.tv_nsec / 1000;
    return 0;
}
"""


def test_a_clock_that_leaps_decides_nothing(course: Path, tmp_path: Path) -> None:
    library = tmp_path / "leaping.so"
    (tmp_path / "leaping.c").write_text(LEAPING, encoding="ascii")
    build = ["cc", "-shared", "-fPIC", "-o", str(library), str(tmp_path / "leaping.c"), "-ldl"]
    try:
        subprocess.run(build, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no C compiler to build the clock with")
    environment = {"LD_PRELOAD": str(library)}
    look = [sys.executable, "-c", "import time; print(abs(time.time() - time.time()) > 3600)"]
    looked = subprocess.run(look, env=os.environ | environment, capture_output=True, text=True, check=True)
    assert looked.stdout == "True\n"
    hand_in(course, "ann", SLOW)
    submissions = hand_in(course, "bob", "def double(x):\n    return x\n")
    calm = grade(course, [submissions], tmp_path / "calm", "-j", "2")
    leaping = grade(course, [submissions], tmp_path / "leaping", "-j", "2", environment=environment)
    assert (calm.code, leaping.code) == (0, 0), leaping.said
    assert differences(reports(tmp_path / "calm"), reports(tmp_path / "leaping")) == []
    assert 0 < report(tmp_path / "leaping", "ann")["timings"]["total"] < 3600
