from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from grader.cli.main import COMMANDS, cli


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    ran = CliRunner().invoke(cli, [name, "--help"])
    assert ran.exit_code == 0
    assert "Usage:" in ran.output
    assert len(ran.output.splitlines()) > 3


def test_the_help_lists_each_command_once_below_whom_it_is_for() -> None:
    lines = CliRunner().invoke(cli, ["--help"]).output.splitlines()
    listed = [found[1] for line in lines if (found := re.match(r"  ([a-z]+) ", line))]
    assert sorted(listed) == sorted(COMMANDS)
    assert [line for line in lines if line.startswith("For ")] == ["For students:", "For instructors:", "For authors:"]


def test_the_help_says_what_exit_codes_mean() -> None:
    assert "130 interrupted" in CliRunner().invoke(cli, ["--help"]).output


def test_an_unknown_command_is_a_usage_error(grader) -> None:
    ran = grader("gade")
    assert ran.returncode == 2
    assert "Did you mean 'grade'?" in ran.stderr


def test_the_version_is_told(grader) -> None:
    assert grader("--version").stdout.startswith("grader, version ")


def test_doctor_names_every_mechanism_and_a_verdict(grader) -> None:
    ran = grader("doctor")
    assert ran.returncode == 0
    assert "level full" in ran.stdout
