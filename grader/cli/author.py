"""`grader author`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.say import say


@click.group(name="author")
def command() -> None:
    """Make an assignment, and see what one lacks."""


@command.command(name="new-assignment")
@click.argument("name")
@click.option("--title", default="", help="What it is called; by default as its name.")
@click.option(
    "--course",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The course; by default the working directory. An empty folder becomes one.",
)
def new_assignment_(name: str, title: str, course: Path) -> None:
    """Write the assignment NAME with one small exercise that is whole: change it from there.

    \b
    Example: grader author new-assignment rms_norm --title "RMS norm"
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.author.new import new_assignment  # noqa: PLC0415  # --help stays fast

    for path in new_assignment(course, name, title):
        say(path.as_posix())
    say(f"next: grader verify {name} --lock, which writes which tests count, and grader author lint {name}", err=True)


@command.command(name="lint")
@click.argument("assignments", nargs=-1)
@course_option
def lint_(assignments: tuple[str, ...], course: Path) -> None:
    """Say what ASSIGNMENTS (all where none is named) lack, and exit 3 where something is lacking.

    Every exercise has points, minutes and three hints in both handouts, a misconception, a visible
    and a hidden test.
    """
    from grader.author.lint import lint  # noqa: PLC0415  # --help stays fast
    from grader.course.locate import find_course, load_assignments  # noqa: PLC0415

    found = [(each.id, lint(each)) for each in load_assignments(find_course(course), assignments)]
    for name, problems in found:
        say("\n".join(f"{name}: {problem}" for problem in problems) if problems else f"{name}: nothing is lacking")
    sys.exit(3 if any(problems for _, problems in found) else 0)
