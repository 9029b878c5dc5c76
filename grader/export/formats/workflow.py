"""Commands of a GitHub workflow: printed in a job, they stand on the student's lines in the pull request."""

from __future__ import annotations

from grader.escape.workflow import message, property_value
from grader.export.base import Options
from grader.export.document import lines
from grader.export.findings import Finding, findings
from grader.export.grade import Grade
from grader.export.text import overall, points

HELP = "GitHub annotations: workflow commands that mark the student's lines"
SUFFIX = ".annotations.txt"


def render(grade: Grade, options: Options) -> str:
    """Return a command a line: the score, then what is wrong."""
    title = f"{options.words.score} {points(grade.score, grade.points, options)}"
    score = f"::notice title={property_value(title)}::{message(lines(overall(grade, options)))}"
    return "".join(f"{each}\n" for each in (score, *map(_command, findings(grade, options))))


def _command(finding: Finding) -> str:
    where = f"file={property_value(finding.file)},line={finding.line},title={property_value(finding.name)}"
    return f"::error {where}::{message(finding.message)}"
