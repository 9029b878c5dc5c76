"""`grader gradebook`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

import click

from grader.cli.options import author_option
from grader.cli.say import say
from grader.escape.record import inert
from grader.gradebook.deciding import Decision, decide, forget, release, stranger
from grader.gradebook.diff import changes
from grader.gradebook.history import standings, worth
from grader.gradebook.history import students as everybody
from grader.gradebook.place import at_run, check_run, opened, policy_for
from grader.gradebook.policy.unknown import unknown
from grader.gradebook.policy.work import Kind, Ruling
from grader.gradebook.show import as_data, as_lines, class_of, released
from grader.gradebook.told import as_lines as told
from grader.intake.ids import student_id
from grader.model.errors import UsageError

_book = click.argument("gradebook", type=click.Path(path_type=Path))


@click.group(name="gradebook")
def command() -> None:
    """Show what a class earned, decide about it, compare runs, forget a student.

    GRADEBOOK is the file, or the folder of reports that it lies in.
    """


@command.command()
@_book
@click.option(
    "--policy", type=click.Path(dir_okay=False, path_type=Path), help="By default policy.toml beside the gradebook."
)
@click.option("--student", "students", multiple=True, metavar="ID", help="Only this one; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(gradebook: Path, policy: Path | None, students: tuple[str, ...], *, as_json: bool) -> None:
    """Show what counts for everybody: attempts, lateness, decisions and all that policy.toml says."""
    with opened(gradebook) as book:
        rules = policy_for(book.path, policy)
        for note in unknown(rules, everybody(book), worth(book)):
            say(f"note: {note}", err=True)
        wanted = {student_id(student) for student in students}
        shown = [each for each in class_of(book, rules) if not wanted or each.student in wanted]
        if as_json:
            seen = {"released": released(book, rules, int(time.time())), "students": [as_data(each) for each in shown]}
            say(inert(json.dumps(seen, indent=2, ensure_ascii=False)))
            return
    _say_all(as_lines(shown))


@command.command()
@click.argument("before")
@click.argument("after")
def diff(before: str, after: str) -> None:
    """Say what differs between two gradebooks, or after two runs of one: `scores@1 scores@3`."""
    found = []
    for path, run in map(at_run, (before, after)):
        with opened(path) as book:
            check_run(book, run)
            found.append(standings(book, run))
    _say_all(line for change in changes(*found) for line in told(change))


@command.command()
@_book
@click.argument("student")
@click.argument("what", metavar="ASSIGNMENT[/EXERCISE]")
@click.option("--score", type=click.FloatRange(0), help="The score, in the place of the grader's.")
@click.option("--withdraw", is_flag=True, help="Let the grader's score stand again.")
@click.option("--comment", default="", help="What the student is to read.")
@click.option("--reason", required=True, help="Why.")
@author_option
def override(  # noqa: PLR0913  # the options of the command
    *,
    gradebook: Path,
    student: str,
    what: str,
    score: float | None,
    withdraw: bool,
    comment: str,
    reason: str,
    author: str,
) -> None:
    """Decide about a student's work: a score, a comment, or both. It stands, however often the work is graded again."""
    if withdraw and score is not None:
        raise UsageError("--score and --withdraw exclude each other", hint="leave out one")
    assignment, _, exercise = what.partition("/")
    kind: Kind = "withdrawn" if withdraw else "comment" if score is None else "score"
    with opened(gradebook) as book:
        ruling = Ruling(exercise, kind, score, comment, author, reason, int(time.time()))
        note = stranger(book, student_id(student))
        decide(book, Decision(student_id(student), assignment, ruling))
    if note:
        say(f"note: {note}", err=True)


@command.command(name="release")
@_book
@click.argument("assignment")
@author_option
def release_(gradebook: Path, assignment: str, author: str) -> None:
    """Let students see what came of an assignment, before the time in policy.toml or where it says none."""
    with opened(gradebook) as book:
        release(book, assignment, author, int(time.time()))


@command.command(name="forget")
@_book
@click.argument("student")
def forget_(gradebook: Path, student: str) -> None:
    """Delete all that is known of a student from the gradebook, and name what else is left of them."""
    with opened(gradebook) as book:
        left = forget(book, student_id(student))
        named = student_id(student) in policy_for(book.path, None).named
    if named:
        say("note: the policy beside the gradebook names them: take them out of it", err=True)
    for folder in left:
        place = os.path.relpath(folder)
        say(
            f"note: reports on them lie in {place}: delete that folder, and the lines in the summary beside it",
            err=True,
        )


def _say_all(lines: Iterable[str]) -> None:
    """Print lines at once: whoever reads but the first few is told no error."""
    if text := "\n".join(lines):
        say(text)
