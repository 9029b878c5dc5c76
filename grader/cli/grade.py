"""`grader grade`."""

from __future__ import annotations

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
    type=click.IntRange(1),
    help="Submissions under way at once; by default one a core, on a cluster three for each of its threads.",
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
@click.option(
    "--source",
    type=click.Choice(["auto", "canvas", "moodle", "gradescope", "blackboard", "classroom", "nbgrader", "folder"]),
    default="auto",
    help="The system that PATHS were downloaded from, or folder for any other; by default it is recognised.",
)
@click.option("--one", is_flag=True, help="Each path is one submission.")
@click.option("--class", "whole_class", is_flag=True, help="Each path is a folder of submissions.")
@click.option(
    "--isolation",
    type=click.Choice(["full", "container", "weak", "none"]),
    help="Hold submissions at this level; by default at the strongest this machine gives, on a cluster at full.",
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
    help="A CSV file with a column id, and others by which submissions are known to be a student's: name, email, canvas_id, sid, github, moodle_id, login, group; submitted says when each was handed in.",
)
@click.option(
    "--executor",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Judge on this machine, or on the workers of a Dask cluster.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS|FILE",
    help="The cluster's scheduler, such as tcp://127.0.0.1:8786, or its scheduler file; from other machines tls:// only.",
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
