"""`grader picture`: files or a terminal, and the exit codes of `grader check`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from grader.model.errors import UsageError
from tests.conftest import ROOT


@pytest.fixture
def kit(tmp_path, monkeypatch):
    make_kit(tmp_path / "kit", load_assignments(ROOT, ["attention"]))
    monkeypatch.chdir(tmp_path / "kit")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path / "kit"


def picture(*arguments: str):
    return CliRunner().invoke(cli, ["picture", *arguments])


def test_files_are_written_and_their_paths_printed(kit):
    text = (ROOT / "assignments/attention/sample_class/emre/attention.py").read_text("utf-8")
    (kit / "student_template/attention.py").write_text(text, encoding="utf-8")
    ran = picture("attention.weights")
    assert ran.exit_code == 1
    assert "pictures/attention.weights.svg" in ran.stdout.splitlines()
    assert "`grader check attention.weights` tells what is wrong" in ran.stdout.splitlines()[-1]
    assert (kit / "pictures/attention.weights.svg").is_file()


def test_a_terminal_shows_it_and_no_file_is_written(kit):
    (kit / "student_template/attention.py").write_bytes((ROOT / "reference/attention.py").read_bytes())
    before = sorted(kit.rglob("*"))
    ran = picture("attention.weights", "--plot")
    assert ran.exit_code == 0
    assert "✓ Your rows do." in ran.stdout
    assert "█" in ran.stdout
    assert sorted(kit.rglob("*")) == before


def test_what_is_not_written_yet_has_no_picture_and_says_so(kit):
    ran = picture("attention.weights", "--lang", "zh-TW")
    assert ran.exit_code == 1
    assert "尚未實作" in ran.stdout
    assert "還沒有圖" in ran.stdout
    assert not list(kit.rglob("*.svg"))


def test_an_exercise_without_a_matrix_names_those_that_have_one(kit):
    ran = picture("attention.qkv")
    assert isinstance(ran.exception, UsageError)
    assert "attention.softmax, attention.scores, attention.weights" in ran.exception.hint
