"""A command's process: closed streams, readers who leave, signals, and faults that nobody foresaw."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and descriptors")

SCHEMA = [sys.executable, "-m", "grader", "schema", "report"]
RAISING = """
import sys
from grader.cli import main, schema
def fail(**_):
    raise {error}
schema.command.callback = fail
sys.argv[1:] = ["schema", "report"]
main.main()
"""


def failing(error: str) -> subprocess.CompletedProcess[str]:
    script = RAISING.format(error=error)
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_reader_who_leaves_is_told_of_and_is_no_low_score() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing) as output:
        ran = subprocess.run(SCHEMA, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 4
    assert ran.stderr == "error: not everything could be told: nobody reads the output any more\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_an_output_that_cannot_be_written_is_told() -> None:
    with Path("/dev/full").open("w") as output:
        ran = subprocess.run(SCHEMA, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 4
    assert ran.stderr.startswith("error: this machine refused: ")
    assert "No space left on device" in ran.stderr


def test_with_all_streams_closed_the_exit_code_is_the_same() -> None:
    ran = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *SCHEMA], cwd=ROOT, check=False)
    assert ran.returncode == 0


def test_no_file_takes_the_number_of_a_closed_stream() -> None:
    script = "from grader.cli.process import prepare_process; prepare_process(); raise SystemExit(open('/dev/null').fileno())"
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", script]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode > 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("OSError(24, 'Too many open files')", "error: this machine refused: [Errno 24] Too many open files\n"),
        ("MemoryError()", "error: this machine refused: MemoryError\n"),
    ],
)
def test_what_the_machine_refuses_is_told_in_a_line(error: str, said: str) -> None:
    ran = failing(error)
    assert (ran.returncode, ran.stderr) == (4, said)


def test_a_fault_that_nobody_foresaw_is_ours_and_told_in_full() -> None:
    ran = failing("ZeroDivisionError('oh')")
    assert ran.returncode == 4
    assert "a fault of the grader itself" in ran.stderr
    assert "ZeroDivisionError: oh" in ran.stderr


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_request_to_end_is_an_interruption(name: str) -> None:
    ran = failing(f"__import__('os').kill(__import__('os').getpid(), __import__('signal').{name}) or SystemExit(9)")
    assert (ran.returncode, ran.stderr.strip()) == (130, "interrupted")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_that_the_caller_ignores_stays_ignored(name: str) -> None:
    number = getattr(signal, name)
    script = RAISING.format(error=f"__import__('os').kill(__import__('os').getpid(), {int(number)}) or SystemExit(9)")
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        check=False,
        preexec_fn=lambda: signal.signal(number, signal.SIG_IGN),
    )
    assert ran.returncode == 9
