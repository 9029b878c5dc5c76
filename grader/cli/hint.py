"""`grader hint`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say, say_lines
from grader.course.locate import find_course, load_assignments
from grader.kit.choose import choose
from grader.kit.hint import shown, where_to_look
from grader.kit.lesson import current, first_open, steps
from grader.kit.state import Kept


@click.command(name="hint")
@click.argument("exercise", required=False)
@click.option("--again", is_flag=True, help="Show those that you have seen, and no new one.")
@language_option
@course_option
def command(exercise: str | None, *, again: bool, language: str, course: Path) -> None:
    """Show one more hint on EXERCISE: first the idea, then the shapes, then a step to take.

    Above them stands which test to look at: the first that saw something wrong when you last checked.

    Without EXERCISE it is the one that you work on: what `grader watch` shows, else the first that is not finished.

    \b
    Example: grader hint attention.softmax
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    root = find_course(course)
    kept = Kept(root)
    lesson = steps(load_assignments(root, ()))
    if exercise is not None:
        assignment, wanted = choose(load_assignments(root, ()), exercise)[0]
        found = first_open(
            [s for s in lesson if s.assignment.id == assignment.id and s.id in (wanted or [s.id])], kept.state
        )
    else:
        found = current(lesson, kept.state)
    if kept.trouble:
        say(kept.trouble, err=True)
    if not again:
        kept.state.one_more_hint(found.id)
    hints = [*where_to_look(found, kept.state, language), *shown(found, kept.state, language)]
    # One that could not be read was not seen.
    if not again:
        kept.save()
    say_lines([found.id, *(f"    {each}" for each in hints)])
