"""`grader report`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import language_option
from grader.cli.say import say
from grader.graded.read import read_class
from grader.html.told import told
from grader.html.write import write_pages


@click.command(name="report")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Where pages go; by default beside the reports."
)
@click.option("--students-only", is_flag=True, help="Write only what can be handed out: students' pages, as released.")
@click.option(
    "--policy", type=click.Path(dir_okay=False, path_type=Path), help="By default policy.toml beside the gradebook."
)
@language_option
def command(*, folder: Path, out: Path | None, students_only: bool, policy: Path | None, language: str) -> None:
    """Write pages to look at: DIR/STUDENT/report.html for each student, and DIR/index.html for the class.

    DIR is what `grader grade --out DIR` wrote. Each page is one file that needs nothing else, in English and
    Traditional Chinese, and no student's code is run. A student's page holds what the student may see and no more;
    with --students-only it leaves out what the gradebook has not released.
    """
    written = write_pages(read_class(folder, policy), out or folder, language=language, students_only=students_only)
    say("\n".join(told(written, out or folder)))
