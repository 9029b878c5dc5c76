"""`grader worksheet`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.kit.worksheet import blank, write


@click.command(name="worksheet")
@click.argument("student_id")
@click.option("-a", "--assignment", metavar="ID", help="The assignment, where several have a worksheet.")
@language_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it; in a kit beside your other files, in a course to be named.",
)
@click.option("--force", is_flag=True, help="Overwrite a worksheet, and with it the answers in it.")
@course_option
def command(  # noqa: PLR0913  # one parameter for each option
    student_id: str, *, assignment: str | None, language: str, out: Path | None, force: bool, course: Path
) -> None:
    """Write the blank worksheet of STUDENT_ID, with numbers of their own, to fill in and hand in.

    STUDENT_ID is what the submission is called when it is handed in: the name of its folder, or of its archive without the suffix.

    \b
    Example: grader worksheet ada --lang zh-TW
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    root = find_course(course)
    sheet = blank(load_assignments(root, [assignment] if assignment else ()), student_id, language)
    say(write(sheet, out, Path.cwd(), force=force).as_posix())
