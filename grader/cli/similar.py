"""`grader similar`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.model.errors import UsageError


@click.command(name="similar")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-a",
    "--assignment",
    "assignments",
    multiple=True,
    required=True,
    metavar="ID",
    help="The assignment; may be given again.",
)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The page to write.")
@click.option(
    "--earlier",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Submissions of an earlier term; may be given again.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 100),
    default=50,
    show_default=True,
    metavar="PERCENT",
    help="How much of one is to be the other's.",
)
@course_option
def command(  # noqa: PLR0913  # one parameter for each option
    *,
    paths: tuple[Path, ...],
    assignments: tuple[str, ...],
    out: Path,
    earlier: tuple[Path, ...],
    least: float,
    course: Path,
) -> None:
    """Show which submissions in PATHS are alike beyond what the task makes alike: a pointer for a person, not a verdict.

    \b
    Example: grader similar submissions/ -a attention --earlier ../2025/submissions --out similar.html
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    try:
        from grader.similar.run import compare  # noqa: PLC0415  # an extra; and --help stays fast
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed", hint="pip install 'rowwise[similarity]'") from error
    found = compare(paths, load_assignments(find_course(course), assignments), out, earlier, least / 100)
    for group in found.same:
        say(f"{group[0].name}  the same: {', '.join(each.owner for each in group)}")
    for pair in found.pairs:
        one, other = (f"{100 * part:.0f} %" for part in pair.likeness.parts)
        say(f"{pair.one.name}  {pair.one.owner} ({one}) and {pair.other.owner} ({other})")
    say(f"{out.as_posix()}: a pointer, not a verdict", err=True)
