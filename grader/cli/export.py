"""`grader export`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say, write
from grader.export.registry import FORMATS

_LISTED = "\n".join(f"  {name:<13} {each.HELP}" for name, each in FORMATS.items())


@click.command(name="export", epilog=f"\b\nFormats:\n{_LISTED}")
@click.argument("name", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--student", "students", multiple=True, metavar="ID", help="Only this one; may be given again.")
@click.option(
    "-a", "--assignment", "assignments", multiple=True, metavar="ID", help="Only this assignment; may be given again."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file to write; of a format of one submission, the folder for a file each.",
)
@click.option(
    "--roster",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A CSV file with the column id and others: how students are called elsewhere.",
)
@click.option("--into", type=click.Path(dir_okay=False, path_type=Path), help="Canvas: the gradebook that it exported.")
@click.option(
    "--assignment-column",
    "column",
    metavar="NAME",
    help="Canvas and Moodle: what the column of the assignment is called.",
)
@click.option("--prefix", default="", metavar="PATH", help="Annotations, SARIF: where the files lie in the repository.")
@click.option(
    "--policy", type=click.Path(dir_okay=False, path_type=Path), help="By default policy.toml beside the gradebook."
)
@click.option("--unreleased", "anyway", is_flag=True, help="Tell students of what is not released yet, too.")
@language_option
@course_option
def command(**options: Any) -> None:  # noqa: ANN401  # the options above, under their own names
    """Write what was graded, from a FOLDER of reports, in a FORMAT that another tool takes.

    What counts is exported: after lateness, and as persons decided. Where the grader failed there is no score at all,
    never a 0: those students are named, and the exit code is 4. It is 1 where a score found no row of its student.

    \b
    Example: grader export gradescope scores --student ada > results.json
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.export.command import Request, run  # noqa: PLC0415  # --help stays fast

    sys.exit(run(Request(**options), write, lambda text: say(text, err=True)))
