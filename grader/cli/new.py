"""`grader new`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.kit.language import LANGUAGES
from grader.kit.make import make_kit


@click.command(name="new")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "-a",
    "--assignment",
    "assignments",
    multiple=True,
    metavar="ID",
    help="An assignment; may be given again. By default all of the course.",
)
@click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    help="The language in which commands speak in the kit; by default the course's own student_template/kit.toml, else en.",
)
@course_option
def command(folder: Path, assignments: tuple[str, ...], language: str | None, course: Path) -> None:
    """Make a student's kit in FOLDER: handouts, visible tests and templates, nothing else.

    With --lang its commands speak that language: it is written in the kit, in kit.toml.

    \b
    Example: grader new kit -a attention -a masking --lang zh-TW
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    chosen = load_assignments(find_course(course), assignments)
    written = make_kit(folder, chosen, language)
    say("\n".join(path.as_posix() for path in written))
    say(f"made {folder}: fill in {folder}/student_template/, then run `grader check` in {folder}", err=True)
    if any(each.manifest.worksheet for each in chosen):
        say("`grader worksheet YOUR-ID` writes the worksheet there", err=True)
