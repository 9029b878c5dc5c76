"""`grader ci`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

import click

from grader.cli.options import language_option
from grader.cli.say import say, write


@click.command(name="ci")
@click.argument("repository", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "-a",
    "--assignment",
    "asked",
    multiple=True,
    metavar="ID",
    help="Grade this one, begun or not; may be given again. By default all that are there, of which those begun count.",
)
@click.option(
    "--course",
    envvar="GRADER_COURSE",
    type=click.Path(file_okay=False, path_type=Path),
    help="The course, to grade with its hidden tests; by default the visible ones of the kit.  [env var: GRADER_COURSE]",
)
@click.option("--student", metavar="ID", help="The id of the student; by default the name of the repository.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    default=100,
    metavar="PERCENT",
    show_default=True,
    help="Exit 1 where an assignment earns less.",
)
@language_option
def command(
    *,
    repository: Path,
    course: Path | None,
    language: Literal["en", "zh-TW"],
    **options: Any,  # noqa: ANN401  # the options above
) -> None:
    """Grade a student's repository, as its workflow does: in REPOSITORY, by default here.

    In a GitHub workflow, mistakes stand on their lines and the page of the run shows how things stand. Of hidden tests
    nothing is told but what a student's report tells.

    \b
    Example: grader ci --fail-under 60
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.ci.run import Request, run  # noqa: PLC0415  # --help stays fast

    request = Request(repository, course, language=language, **options)
    sys.exit(run(request, say, write))
