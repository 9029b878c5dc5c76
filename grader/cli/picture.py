"""`grader picture`."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say, say_lines
from grader.words import picture as words


@click.command(name="picture")
@click.argument("exercise")
@click.option("--plot", is_flag=True, help="Show it here, in the terminal; files are then written only with --out.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where to write the files; by default pictures/ in the working folder.",
)
@language_option
@course_option
def command(exercise: str, *, plot: bool, out: Path | None, language: str, course: Path) -> None:
    """Draw what the visible tests of EXERCISE see of your matrix, beside the right one, with the sums of rows and columns.

    Writes EXERCISE.svg and, where matplotlib is installed, EXERCISE.png. Exits 1 where a test fails, as `grader check` does.

    \b
    Example: grader picture attention.weights
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.course.locate import find_course, load_assignments  # noqa: PLC0415  # --help stays fast
    from grader.kit.picture import heat_maps, look, nothing_to_see, picture_lines, write  # noqa: PLC0415
    from grader.kit.picturing.blocks import marks_for  # noqa: PLC0415

    root = find_course(course)
    checked = look(load_assignments(root, ()), exercise, Path.cwd(), root, language=language)
    if not heat_maps(checked):
        say_lines(nothing_to_see(checked, language))
        sys.exit(1)
    if plot:
        width, marks = shutil.get_terminal_size().columns, marks_for(sys.stdout.encoding, os.environ)
        say("\n".join(picture_lines(checked, language, width, marks)))
    if out is not None or not plot:
        written = write(checked, language, out or Path("pictures"))
        say("\n".join(path.as_posix() for path in written.files))
        if written.note:
            say(written.note, err=True)
        if not checked.passed:
            say(words.DOES_NOT_PASS(language, exercise=checked.exercise))
    sys.exit(0 if checked.passed else 1)
