"""What the command line says of executors: nothing is begun where something is wrong."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli.grade import command
from grader.model.errors import UsageError
from tests.e2e.toy import hand_in, toy_course

RIGHT = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    course = toy_course(tmp_path / "course")
    hand_in(course, "ann", RIGHT)
    return course


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--scheduler", "tcp://127.0.0.1:1"], "names a cluster"),
        (["--executor", "dask"], "needs a scheduler"),
        (["--executor", "dask", "--scheduler", "tcp://10.0.0.7:8786"], "without TLS"),
        (["--executor", "dask", "--scheduler", "tcp://127.0.0.1:1", "--isolation", "weak"], "not run at level weak"),
    ],
)
def test_a_mistake_is_told_with_a_hint_before_anything_begins(
    toy: Path, tmp_path: Path, options: list[str], words: str
) -> None:
    arguments = ["class", "-a", "toy", "--out", "out", "--seed-key", "key", "--course", "."]
    with contextlib.chdir(toy):
        ran = CliRunner().invoke(command, [*arguments, *options])
    assert isinstance(ran.exception, UsageError)
    assert words in ran.exception.message
    assert ran.exception.hint
    assert not (toy / "out").exists()


def test_tls_without_certificates_is_told(grade, toy: Path, tmp_path: Path) -> None:
    options = ["--executor", "dask", "--scheduler", "tls://10.0.0.7:8786"]
    ran = grade("class", "-a", "toy", "--out", tmp_path / "out", *options, cwd=toy)
    assert ran.returncode == 2
    assert "tls://10.0.0.7:8786: there are no certificates" in ran.stderr
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in ran.stderr


def test_a_scheduler_that_is_not_there_is_told_in_bounded_time(grade, toy: Path, tmp_path: Path) -> None:
    options = ["--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"]
    ran = grade("class", "-a", "toy", "--out", tmp_path / "out", *options, cwd=toy)
    assert ran.returncode == 4
    assert "tcp://127.0.0.1:1: the scheduler cannot be reached" in ran.stderr
    assert "hint: is it running" in ran.stderr
    assert "Traceback" not in ran.stderr
