"""`grader path`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say


@click.command(name="path")
@click.argument("assignment", required=False)
@language_option
@course_option
def command(assignment: str | None, language: str, course: Path) -> None:
    """Show the unit as a map, or the exercises of ASSIGNMENT: what comes after what, minutes, points, and how far you are.

    \b
    Example: grader path attention
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.course.locate import find_course, load_assignments  # noqa: PLC0415  # --help stays fast
    from grader.kit.path import tell, tell_one  # noqa: PLC0415
    from grader.kit.since import changed  # noqa: PLC0415
    from grader.kit.state import Kept  # noqa: PLC0415

    root = find_course(course)
    kept = Kept(root)
    if kept.trouble:
        say(kept.trouble, err=True)
    chosen = load_assignments(root, [assignment] if assignment else ())
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    how = kept.state, language, columns
    stale = changed(chosen, kept.state, Path.cwd())
    say("\n".join(tell_one(chosen[0], *how, stale=stale) if assignment else tell(chosen, *how, stale=stale)))
