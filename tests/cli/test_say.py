from __future__ import annotations

import ast
import contextlib
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given

import grader.cli
from grader.cli.main import COMMANDS, main
from grader.cli.say import say, say_lines
from tests.escape.enemy import TEXT, active

HOSTILE = "\x1b[2J\x9b31m\u202e\u200b\r"
HOME = Path(grader.cli.__file__).parent


@given(TEXT)
def test_nothing_that_acts_on_a_terminal_is_printed(text):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        say(text)
    assert active(printed.getvalue(), but="\n\t") == []


def test_lines_and_chinese_text_are_printed_as_they_are(capsys):
    say("\u6ce8\u610f\n\tb", err=True)
    assert capsys.readouterr().err == "\u6ce8\u610f\n\tb\n"


def test_no_command_prints_in_another_way():
    assert set(COMMANDS) <= {path.stem for path in HOME.glob("*.py")}
    for path in HOME.glob("*.py"):
        calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        names = {ast.unparse(call) for call in calls}
        allowed = {"click.echo"} if path.stem == "say" else set()
        assert names & {"click.echo", "click.secho", "print", "sys.stdout.write", "sys.stderr.write"} == allowed, path


def error_of(monkeypatch, capsys, *arguments: str) -> str:
    monkeypatch.setattr("sys.argv", ["grader", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    return capsys.readouterr().err


def test_a_file_with_a_hostile_name_is_told_of_without_its_powers(monkeypatch, capsys, tmp_path):
    from tests.e2e.toy import toy_course

    course = toy_course(tmp_path / "course")
    name = tmp_path / f"{HOSTILE}\nerror: all is well"
    name.write_text("x")
    for arguments in (
        (
            "grade",
            str(name),
            "-a",
            "toy",
            "--out",
            str(tmp_path / "out"),
            "--course",
            str(course),
            "--allow-weak-isolation",
        ),
        ("replay", str(name), "x", "--course", str(course)),
        ("check", HOSTILE, "--course", str(course)),
        ("schema", HOSTILE),
        (HOSTILE,),
        (f"--{HOSTILE}",),
    ):
        said = error_of(monkeypatch, capsys, *arguments)
        assert "error" in said.lower(), arguments
        assert active(said, but="\n\t") == [], arguments
        assert "\nerror: all is well" not in said, arguments


def test_a_terminal_gets_lines_folded_to_its_width_and_a_file_gets_them_whole(monkeypatch, capsys):
    long = ["toy.double  failed", f"    {'word ' * 20}end"]
    say_lines(long)
    assert capsys.readouterr().out.splitlines() == long
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    say_lines(long)
    rows = capsys.readouterr().out.splitlines()
    assert max(map(len, rows)) <= 40
    assert rows[0] == long[0]
    assert rows[2].startswith("      word")
