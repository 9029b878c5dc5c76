"""`grader grade`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Literal

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.model.errors import UsageError


@click.command(name="grade")
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
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The folder for reports.")
@click.option(
    "-j",
    "--jobs",
    default=os.cpu_count() or 1,
    type=click.IntRange(1),
    help="Submissions judged at once; by default one a core.",
)
@click.option(
    "--only", "exercises", multiple=True, metavar="EXERCISE", help="Grade this exercise alone; may be given again."
)
@click.option(
    "--student",
    "students",
    multiple=True,
    metavar="ID",
    help="Grade this one of a class, may be given again; for a single submission, the id of its student.",
)
@click.option("--one", is_flag=True, help="Each path is one submission.")
@click.option("--class", "whole_class", is_flag=True, help="Each path is a folder of submissions.")
@click.option(
    "--isolation",
    type=click.Choice(["full", "container", "weak", "none"]),
    help="Hold submissions at this level; by default at the strongest this machine gives.",
)
@click.option(
    "--allow-weak-isolation",
    "weak",
    is_flag=True,
    help="Run hidden tests even where this machine cannot isolate a submission.",
)
@click.option(
    "--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit 1 where a submission earns less."
)
@click.option(
    "--seed-key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The course key; by default .seed-key in the course, made when missing.",
)
@click.option(
    "--gradebook",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The gradebook; by default gradebook.db in --out.",
)
@click.option(
    "--submitted", metavar="TIME", help="When the submissions were handed in; by default the time of their files."
)
@click.option(
    "--roster",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A CSV file with the columns id and submitted: when each was handed in.",
)
@click.option("--force", is_flag=True, help="Judge again what is known from an earlier run too.")
@click.option(
    "--json-lines", is_flag=True, help="Print each submission on stdout as it is finished, as a line of JSON."
)
@course_option
def command(*, one: bool, whole_class: bool, **options: Any) -> None:  # noqa: ANN401  # the options above, under their own names
    """Grade the submissions in PATHS and write a report for each.

    A submission is a folder, a zip or a tar. A folder that directly holds a file named in the
    assignment is one submission, else each thing in it is one.

    What was found out is kept in the gradebook: the same command again, also after a run that was
    stopped, judges only what has changed.

    \b
    Example: grader grade submissions/ -a attention -a masking --out scores
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.batch.command import Request, run  # noqa: PLC0415  # --help stays fast

    if one and whole_class:
        raise UsageError("--one and --class exclude each other", hint="leave out both, and each path is looked at")
    mode: Literal["one", "class"] | None = "one" if one else "class" if whole_class else None
    sys.exit(run(Request(mode=mode, **options), say))
