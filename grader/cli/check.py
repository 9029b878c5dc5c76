"""`grader check`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.kit.check import check, choose, working_folder
from grader.kit.tell import tell
from grader.model.errors import UsageError


@click.command(name="check")
@click.argument("exercise", required=False)
@language_option
@course_option
def command(exercise: str | None, language: str, course: Path) -> None:
    """Run the visible tests on your own files: all of them, or those of EXERCISE.

    Your files are those of the working folder, else those in student_template/. Exits 1 where a test fails.

    \b
    Example: grader check attention.softmax
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    root = find_course(course)
    passed = True
    told: set[str] = set()
    found = False
    for assignment, exercises in choose(load_assignments(root, ()), exercise):
        folder = working_folder(Path.cwd(), root, assignment)
        if folder is None:
            continue
        found = True
        for checked in check(assignment, exercises, folder):
            passed &= checked.passed
            say("\n".join(tell(checked, language, told)))
    if not found:
        raise UsageError(
            "none of your files are here", hint="change into the folder that holds them, such as student_template/"
        )
    sys.exit(0 if passed else 1)
