"""`grader replay`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.escape.terminal import line
from grader.pipeline.replay import find_test, read_report, replay
from grader.sandbox.base import Level
from grader.sandbox.registry import best


@click.command(name="replay")
@click.argument("report", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("test")
@click.option(
    "--allow-weak-isolation", "weak", is_flag=True, help="Run it even where this machine cannot isolate a submission."
)
@course_option
def command(report: Path, test: str, weak: bool, course: Path) -> None:  # noqa: FBT001  # a flag of the command line
    """Run TEST of REPORT again, with the files and the seed that the report holds. Exits 1 where the verdict differs.

    \b
    Example: grader replay scores/ada/report.json test_scores.py::test_batch_axes_come_along
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    read = read_report(report)
    part, before = find_test(read, test)
    assignment = load_assignments(find_course(course), [part.id])[0]
    result = replay(read, part, before, assignment, best(Level.NONE if weak else Level.CONTAINER).level)
    if result.suite_changed:
        say("note: the suite or the reference has changed since this report", err=True)
    say(f"{line(before.id)}  seed {before.seed}")
    say(f"before: {before.status}  {line(before.message)}")
    say(f"now:    {result.now.status}  {line(result.now.message)}")
    sys.exit(0 if result.now.status is before.status else 1)
