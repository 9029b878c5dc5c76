"""A few kills over a small class, and that the comparison sees what it is there to see."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import ROOT
from tests.faults.compare import differences, without_timings
from tests.faults.processes import Process, alive, arguments, children, kill

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.mark.slow
def test_twelve_kills_over_a_class_change_no_report() -> None:
    command = [sys.executable, "-m", "tests.faults.kills", "--kills", "6"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ": 6 kills (" in ran.stdout


def test_reports_that_differ_are_found_and_timings_are_no_difference() -> None:
    assert without_timings('{"a": 1, "timings": {"total": 1.0}}') == without_timings('{"a": 1, "timings": {}}')
    assert differences({"ann": "12", "bob": "x"}, {"ann": "13", "cat": "x"}) == [
        "bob is missing",
        "cat is too many",
        "ann differs: '12' became '13'",
    ]
    assert differences({"ann": "12"}, {"ann": "123"}) == ["ann differs: '12' became '123'"]


def test_the_order_of_keys_is_part_of_a_report() -> None:
    assert without_timings('{"a": 1, "b": 2}') != without_timings('{"b": 2, "a": 1}')


def test_exactly_the_process_that_is_meant_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as sleeping:
        meant = alive(sleeping.pid)
        assert meant in children(os.getpid())
        assert not kill(Process(sleeping.pid, meant.started + 1))
        assert kill(meant)
        assert sleeping.wait(10) == -signal.SIGKILL
    assert alive(sleeping.pid) is None
    assert not kill(meant)
    assert arguments(sleeping.pid) == []


def test_what_is_told_apart_is_told_by_its_command_line() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "word"]) as sleeping:
        deadline = time.monotonic() + 10
        while arguments(sleeping.pid)[-1:] != [b"word"] and time.monotonic() < deadline:
            time.sleep(0.01)
        assert arguments(sleeping.pid)[-1:] == [b"word"]
        sleeping.kill()
