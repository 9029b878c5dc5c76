"""`grader review`."""

from __future__ import annotations

import time
from pathlib import Path

import click

from grader.cli.options import author_option
from grader.cli.say import say

_folder = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))


@click.group(name="review")
def command() -> None:
    """Hand to a person what a person should grade, and take back what they decided.

    \b
    Example: grader review collect scores --out review
             grader review apply review/review.toml scores
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines


@command.command(name="collect")
@_folder
@click.option(
    "-a", "--assignment", "assignments", multiple=True, metavar="ID", help="Only this one; may be given again."
)
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder to write to.")
def collect_(folder: Path, assignments: tuple[str, ...], out: Path) -> None:
    """Write a page with answers in words, plots and flagged cases, and a file to fill in. What is filled in stays.

    FOLDER is the folder of reports.
    """
    from grader.review.collect import PAGE, collect  # noqa: PLC0415  # --help stays fast
    from grader.review.model import FILE_NAME  # noqa: PLC0415

    for note in collect(folder, out, assignments):
        say(f"note: {note}", err=True)
    say((out / PAGE).as_posix())
    say((out / FILE_NAME).as_posix())


@command.command(name="apply")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_folder
@author_option
def apply_(file: Path, folder: Path, author: str) -> None:
    """Note in the gradebook what FILE decides: all of it, or none where something in it cannot be.

    It may be applied as often as one likes: what stands already is not noted again. FOLDER is the folder of reports.
    """
    from grader.review.apply import apply  # noqa: PLC0415  # --help stays fast

    done = apply(file, folder, author, int(time.time()))
    say(f"{done.noted} noted, {done.known} known before, {done.open} open")
