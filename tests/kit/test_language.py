"""A kit speaks the language that it was made in, unless somebody says otherwise."""

from __future__ import annotations

import shutil

import pytest
from click.testing import CliRunner

from grader.cli.main import cli
from grader.course.locate import load_assignments
from grader.kit.language import kit_file, kit_language
from grader.kit.make import make_kit
from grader.model.errors import UsageError
from tests.conftest import ROOT


@pytest.fixture
def kit(tmp_path, monkeypatch):
    made = ["new", str(tmp_path / "kit"), "-a", "shapes", "--lang", "zh-TW", "--course", str(ROOT)]
    assert CliRunner().invoke(cli, made, catch_exceptions=False).exit_code == 0
    monkeypatch.chdir(tmp_path / "kit" / "student_template")
    monkeypatch.delenv("GRADER_LANG", raising=False)
    return tmp_path / "kit"


def said(*arguments: str, **environment: str) -> str:
    return CliRunner(env=environment).invoke(cli, arguments, catch_exceptions=False).output


def test_commands_and_the_worksheet_speak_the_language_of_the_kit(kit):
    assert "尚未開始" in said("status")
    said("worksheet", "ada")
    assert "學習單" in (kit / "student_template" / "answers.toml").read_text("utf-8")


def test_who_says_otherwise_is_followed(kit):
    assert "to do" in said("status", "--lang", "en")
    assert "to do" in said("status", GRADER_LANG="en")
    assert "尚未開始" in said("status", "--lang", "zh-TW", GRADER_LANG="en")


def test_outside_of_a_kit_it_is_english(tmp_path):
    (tmp_path / "kit.toml").write_text('language = "zh-TW"\n', encoding="utf-8")
    assert kit_language(tmp_path) == "en"


@pytest.mark.parametrize("text", ['language = "de"\n', "language", "", "\x00"])
def test_a_file_that_names_no_language_is_told(kit, text):
    (kit / "kit.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="no language") as refused:
        kit_language(kit)
    assert 'language = "en"' in refused.value.hint


def test_where_nobody_says_a_kit_speaks_english_or_what_its_course_says(tmp_path, course):
    plain, own = tmp_path / "plain", tmp_path / "own"
    make_kit(plain, load_assignments(course, ["shapes"]))
    assert (plain / "kit.toml").read_text("utf-8") == kit_file("en")
    make_kit(own, load_assignments(a_course_of_its_own(tmp_path, course), ["shapes"]))
    assert kit_language(own) == "zh-TW"


def a_course_of_its_own(tmp_path, course):
    home = tmp_path / "course"
    for part in ("assignments/shapes", "student_template"):
        shutil.copytree(course / part, home / part)
    (home / "student_template" / "kit.toml").write_text(kit_file("zh-TW"), encoding="utf-8")
    return home
