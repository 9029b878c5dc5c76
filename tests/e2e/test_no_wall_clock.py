"""Nothing that the grader does depends on what time of day it is: a clock that is set decides nothing."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.e2e.test_our_faults import LIMITS, SLOW, report
from tests.e2e.toy import hand_in, toy_course
from tests.faults.compare import differences, reports
from tests.faults.graded import grade

WALL = {
    "time": {"time", "time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime", "CLOCK_REALTIME"},
    "datetime": {"datetime", "date"},
}
STAMPS = {"st_mtime", "st_mtime_ns", "st_ctime", "st_ctime_ns", "st_atime", "st_atime_ns", "st_birthtime"}


def looks(source: str) -> list[str]:
    """Where a module asks for the time of day or for when a file was changed."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            asked = WALL.get(node.module or "", set()) & {alias.name for alias in node.names}
            found += [f"line {node.lineno}: {name}" for name in sorted(asked)]
        elif isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in STAMPS | WALL.get(of, set()):
                found.append(f"line {node.lineno}: {node.attr}")
    return found


@pytest.mark.parametrize(
    "source",
    ["import time\ntime.time()", "from time import time_ns", "from datetime import datetime", "path.stat().st_mtime"],
)
def test_a_look_at_the_clock_is_seen(source: str) -> None:
    assert looks(source)


def test_looks_at_a_clock_that_only_goes_forward_are_none() -> None:
    assert looks("import time\ntime.monotonic()\ntime.perf_counter()\ntime.process_time()\ntime.sleep(1)") == []


# When something was handed in, decided, released or saved is about the time of day; no verdict is made there.
ABOUT_TIME = (
    *("gradebook/", "cli/gradebook.py", "cli/review.py", "batch/dated.py", "batch/roster.py", "graded/read.py"),
    *("intake/base.py", "intake/sources/", "kit/watching/"),
)


def test_what_judges_and_scores_never_looks_at_the_clock_on_the_wall() -> None:
    found = sorted((ROOT / "grader").rglob("*.py"))
    modules = [path for path in found if not path.relative_to(ROOT / "grader").as_posix().startswith(ABOUT_TIME)]
    assert len(modules) > 50
    found = {str(path): looks(path.read_text("utf-8")) for path in modules}
    assert {Path(path).name: where for path, where in found.items() if where} == {}


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


@pytest.mark.skipif(sys.platform != "linux", reason="the clock is replaced as Linux lets it be")
def test_a_clock_that_leaps_decides_nothing(tmp_path: Path) -> None:
    course = toy_course(tmp_path / "course", limits=LIMITS)
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
