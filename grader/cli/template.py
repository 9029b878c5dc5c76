"""`grader template`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.model.manifest import Manifest
from grader.template.building import build, check


@click.group(name="template")
def command() -> None:
    """Make student templates from the reference, or check them."""


@command.command(name="build", short_help="Write student_template/.")
@click.argument("assignments", nargs=-1)
@course_option
def build_command(assignments: tuple[str, ...], course: Path) -> None:
    """Write student_template/ for ASSIGNMENTS (all where none is named): the reference without its solutions."""
    root = find_course(course)
    for path in build(root, _manifests(root, assignments), assignments):
        say(path.relative_to(root).as_posix())


@command.command(name="check", short_help="Exit 3 where a template is stale.")
@click.argument("assignments", nargs=-1)
@course_option
def check_command(assignments: tuple[str, ...], course: Path) -> None:
    """Exit 3 where a committed template of ASSIGNMENTS is not what its reference gives."""
    root = find_course(course)
    stale = check(root, _manifests(root, assignments), assignments)
    for each in stale:
        say(str(each))
    if stale:
        say("hint: run `grader template build`", err=True)
    sys.exit(3 if stale else 0)


def _manifests(root: Path, named: tuple[str, ...]) -> list[Manifest]:
    """Return all manifests, once those that are named are known to exist: assignments may share a file."""
    load_assignments(root, named)
    return [assignment.manifest for assignment in load_assignments(root, ())]
