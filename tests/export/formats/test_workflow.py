"""By GitHub's documentation of workflow commands, read as its runner reads them."""

from __future__ import annotations

import re

from hypothesis import given

from grader.escape.terminal import line
from grader.export.base import Options
from grader.export.findings import Finding
from grader.export.formats import workflow
from tests.escape.enemy import TEXT
from tests.export import classes


def command(text: str) -> tuple[str, dict[str, str], str]:
    """A command as the runner reads it: its name, properties and message, with what is escaped as it was."""
    name, properties, message = re.fullmatch(r"::(\w+) (.*?)::(.*)", text).groups()
    pairs = dict(each.split("=", 1) for each in properties.split(","))
    return name, {key: _plain(value) for key, value in pairs.items()}, _plain(message)


def _plain(value: str) -> str:
    for escaped, char in (("%2C", ","), ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        value = value.replace(escaped, char)
    return value


def commands(tmp_path, report, **options):
    (grade,) = classes.exported(tmp_path, report)
    return [command(each) for each in workflow.render(grade, Options(**options)).splitlines()]


def test_the_score_comes_first_as_a_notice(tmp_path):
    name, properties, message = commands(tmp_path, classes.two("ada", 4.9, 2.45))[0]
    assert (name, properties["title"]) == ("notice", "Score 7.35 / 10")
    assert message == "Score: 7.35 / 10"


def test_a_mistake_stands_at_the_function_and_an_exception_at_its_line(tmp_path):
    _, mistake, raised = commands(tmp_path, classes.wrong(), exercises=classes.toy_course(), prefix="hw/")
    assert mistake[1] == {"file": "hw/toy.py", "line": "1", "title": "Your double adds 2."}
    assert mistake[2] == "2 + 2 is 2 * 2, and 3 + 2 is not 3 * 2.\nhint: Try 3."
    assert raised[1]["line"] == "6"
    assert raised[2] == "ValueError: odd"


@given(text=TEXT)
def test_no_file_name_or_message_is_another_command_or_property(text):
    finding = Finding("rule", text, text, text, 3)
    made = workflow._command(finding)
    assert len(made.splitlines()) == 1
    name, properties, message = command(made)
    assert name == "error"
    assert properties == {"file": line(text), "line": "3", "title": line(text)}
    assert message == "\n".join(map(line, text.split("\n")))
