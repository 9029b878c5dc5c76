"""`grader status`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say, say_lines
from grader.course.locate import find_course, load_assignments
from grader.kit.lesson import steps
from grader.kit.state import Kept
from grader.kit.status import tell


@click.command(name="status")
@language_option
@course_option
def command(language: str, course: Path) -> None:
    """Say how far you are: what is finished, what is begun, what was finished and fails now. Nothing is run.

    What `grader check` and `grader watch` saw is kept in .rowwise/ in your kit, which is safe to delete.

    \b
    Example: grader status
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    root = find_course(course)
    kept = Kept(root)
    if kept.trouble:
        say(kept.trouble, err=True)
    say_lines(tell(steps(load_assignments(root, ())), kept.state, Path.cwd(), language))
