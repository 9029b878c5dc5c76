"""`grader check`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import course_option, language_option
from grader.cli.say import say, say_lines
from grader.course.locate import find_course, load_assignments
from grader.course.order import in_order
from grader.kit.check import check, read_files, working_folder
from grader.kit.choose import choose
from grader.kit.printed import printed
from grader.kit.slips import nothing_here, require_packages
from grader.kit.state import Kept
from grader.kit.tell import tell
from grader.kit.touched import code_of
from grader.words import check as words


@click.command(name="check")
@click.argument("exercises", nargs=-1, metavar="[EXERCISE]...")
@language_option
@click.option("-v", "--verbose", is_flag=True, help="Tell all that failed, with the entries around the first bad one.")
@course_option
def command(exercises: tuple[str, ...], *, language: str, verbose: bool, course: Path) -> None:
    """Run the visible tests on your own files: all of them, or those of each EXERCISE.

    Your files are those of the working folder, else those in student_template/. Exits 1 where a test fails.

    \b
    Example: grader check attention.softmax attention.qkv
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    root = find_course(course)
    passed = True
    told: set[str] = set()
    chosen = choose(in_order(load_assignments(root, ())), *exercises)
    folders = [working_folder(Path.cwd(), root, assignment) for assignment, _ in chosen]
    if not any(folders):
        raise nothing_here(Path.cwd(), root, [assignment for assignment, _ in chosen])
    for (assignment, asked), folder in zip(chosen, folders, strict=True):
        if folder is None:
            say(f"{assignment.id}: {nothing_here(Path.cwd(), root, [assignment])}", err=True)
            continue
        require_packages(assignment)
        kept = Kept(root)
        code = code_of(assignment.manifest, read_files(assignment, folder))
        found = list(check(assignment, asked, folder, language=language, verbose=verbose))
        for checked in found:
            passed &= checked.passed
            say_lines(tell(checked, language, told, verbose=verbose))
            if kept.state.note(
                checked.exercise, code[checked.exercise], passed=checked.passed, failing=checked.failing
            ):
                say_lines([f"    {words.WAS_FINISHED(language)}"])
        # What was printed is of the whole run: it cannot be told which exercise printed it.
        for text in {checked.printed for checked in found}:
            say_lines(printed(text, language, verbose=verbose))
        if assignment.is_kit:
            kept.save()
    sys.exit(0 if passed else 1)
