"""`grader verify`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.verify.processes import verify_all
from grader.verify.table import render


@click.command(name="verify")
@click.argument("assignments", nargs=-1)
@click.option(
    "--seeds", default=3, show_default=True, type=click.IntRange(1), help="Rounds of inputs for every right answer."
)
@click.option(
    "--lock", "write_lock", is_flag=True, help="Write tests.lock and the kit's fingerprints from what was collected."
)
@course_option
def command(assignments: tuple[str, ...], seeds: int, write_lock: bool, course: Path) -> None:  # noqa: FBT001  # a flag of the command line
    """Prove the suites of ASSIGNMENTS (all where none is named).

    The reference and every right answer must pass, the bare template must earn nothing, every
    misconception must lose points in its own exercise, and its second variant must be named as it
    and as nothing else. Prints the confusion matrix; exits 3 where it does not hold.
    """
    chosen = load_assignments(find_course(course), assignments)
    holds = True
    folders = [assignment.folder for assignment in chosen]
    jobs = min(len(chosen), os.cpu_count() or 1)
    for result in verify_all(folders, seeds=seeds, jobs=jobs, write_lock=write_lock):
        holds &= not result.problems
        say("\n".join(render(result)))
    sys.exit(0 if holds else 3)
