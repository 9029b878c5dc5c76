"""`grader submit`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say_lines
from grader.course.locate import find_course, load_assignments
from grader.kit.receipt import tell
from grader.kit.since import doubts
from grader.kit.state import Kept
from grader.kit.submit import pack, write


@click.command(name="submit")
@click.argument("student_id")
@click.option(
    "-a",
    "--assignment",
    "assignments",
    multiple=True,
    metavar="ID",
    help="An assignment; may be given again. By default all of which you have files.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write the archive; by default STUDENT_ID.zip in the working folder.",
)
@language_option
@course_option
def command(student_id: str, *, assignments: tuple[str, ...], out: Path | None, language: str, course: Path) -> None:
    """Pack your files into STUDENT_ID.zip, to hand in: what counts and nothing else.

    It is refused where a file is no Python, or a worksheet is another student's. Beside it lies a receipt with the digest
    that the report on your work will show.

    \b
    Example: grader submit ada -a attention
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    root = find_course(course)
    chosen = load_assignments(root, assignments)
    packed = pack(chosen, student_id, Path.cwd())
    path = write(packed, out, Path())
    say_lines(tell(packed.receipt, path, language))
    say_lines(doubts(chosen, packed.receipt, Kept(root).state, Path.cwd(), language))
