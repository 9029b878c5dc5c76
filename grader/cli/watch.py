"""`grader watch`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.course.locate import find_course, load_assignments
from grader.kit.choose import choose
from grader.kit.lesson import steps
from grader.kit.state import Kept
from grader.model.errors import UsageError


@click.command(name="watch")
@click.argument("exercise", required=False)
@language_option
@course_option
def command(exercise: str | None, language: str, course: Path) -> None:
    """Show one exercise, and check it again with every save: EXERCISE, or the one that you worked on last.

    Keys: n next, h hint, l list, c check all, r reset, d picture, q quit. What is finished is kept in .rowwise/ in your kit.

    \b
    Example: grader watch attention.softmax
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.kit.watching.run import run  # noqa: PLC0415  # --help stays fast
    from grader.kit.watching.screen import Screen  # noqa: PLC0415  # likewise

    screen = Screen()
    if not (screen.is_terminal and sys.stdin.isatty()):
        raise UsageError(
            "watch needs a terminal, to show and to be told keys", hint="`grader check` says the same once"
        )
    root = find_course(course)
    assignments = load_assignments(root, ())
    kept = Kept(root)
    if exercise is not None:
        assignment, wanted = choose(assignments, exercise)[0]
        kept.state.current = (wanted or [assignment.manifest.exercises[0].id])[0]
    run(steps(assignments), kept, Path.cwd(), language, screen)
