from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from grader.cli.main import COMMANDS
from tests.docs.readme import README, ROOT, Shell, commands, normal


@pytest.mark.skipif(shutil.which("bash") is None, reason="the README's commands are for bash")
def test_every_command_prints_what_the_readme_says(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    for command in commands(README.read_text("utf-8")):
        _, printed = shell.run(command.line)
        if command.compared:
            assert normal(printed) == normal(command.output), command.line


def test_no_command_is_shown_to_fail() -> None:
    assert not [command.line for command in commands(README.read_text("utf-8")) if "error:" in command.output]


def test_every_command_of_grader_is_shown() -> None:
    text = README.read_text("utf-8")
    for name in COMMANDS:
        assert f"grader {name}" in text


def test_the_two_commands_are_those_of_the_gate() -> None:
    text = README.read_text("utf-8")
    gate = (ROOT / ".ci" / "run").read_text("utf-8")
    for line in re.findall(r"^python -m pip install -c \.ci/constraints\.txt (.*?) &&", text, flags=re.MULTILINE):
        assert f"-c .ci/constraints.txt {line}" in gate.replace("--quiet ", "")


def test_every_link_to_a_file_leads_to_one() -> None:
    for document in (README, ROOT / ".github" / "CONTRIBUTING.md", ROOT / ".github" / "SECURITY.md"):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), target
