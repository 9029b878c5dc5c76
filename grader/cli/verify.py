"""`grader verify`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments
from grader.verify.mutants.mutation import mutate
from grader.verify.mutants.telling import render as render_mutants
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
@click.option(
    "--mutate", "mutating", is_flag=True, help="Also change the reference, one place at a time: a test must notice."
)
@course_option
def command(assignments: tuple[str, ...], seeds: int, write_lock: bool, mutating: bool, course: Path) -> None:  # noqa: FBT001  # flags of the command line
    """Prove the suites of ASSIGNMENTS (all where none is named).

    The reference and every right answer must pass, the bare template must earn nothing, every
    misconception must lose points in its own exercise, and its second variant must be named as it
    and as nothing else. Prints the confusion matrix; exits 3 where it does not hold.

    With --mutate, every mutant of the reference must lose points too, or be declared equivalent in
    equivalents.toml and be so on thousands of calls. Prints the share that was killed, and what
    survives as diffs. Only where all else holds.
    """
    chosen = load_assignments(find_course(course), assignments)
    holds = True
    folders = [assignment.folder for assignment in chosen]
    processors = os.cpu_count() or 1
    jobs = min(len(chosen), processors)
    for result in verify_all(folders, seeds=seeds, jobs=jobs, write_lock=write_lock):
        holds &= not result.problems
        say("\n".join(render(result)))
    if mutating and holds:
        for folder in folders:
            mutation = mutate(folder, seeds=seeds, jobs=processors)
            holds &= mutation.holds
            say("\n".join(render_mutants(mutation)))
    sys.exit(0 if holds else 3)
