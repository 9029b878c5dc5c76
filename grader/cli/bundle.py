"""`grader bundle`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grader.cli.options import course_option
from grader.cli.say import say
from grader.course.locate import find_course, load_assignments


@click.command(name="bundle")
@click.argument("service", type=click.Choice(["gradescope", "autolab", "prairielearn", "github", "docker"]))
@click.option(
    "-a",
    "--assignment",
    "assignments",
    multiple=True,
    required=True,
    metavar="ID",
    help="An assignment; may be given again.",
)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="A new folder; by default one named SERVICE."
)
@click.option(
    "--seed-key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The course key, from which that of the bundle is made; by default .seed-key in the course, made when missing.",
)
@click.option(
    "--pip-options",
    default="",
    metavar="WORDS",
    help="Options for pip at the service, such as another index for PyTorch without CUDA.",
)
@course_option
def command(
    *,
    service: str,
    assignments: tuple[str, ...],
    out: Path | None,
    course: Path,
    **options: Any,  # noqa: ANN401  # the options above, under their own names
) -> None:
    """Write what SERVICE needs to grade assignments of this course.

    All but `github` hold hidden tests, reference and a key: keep them to yourselves.

    \b
    Example: grader bundle gradescope -a attention -a masking --out autograder
    """  # noqa: D301  # \b is click's mark for a paragraph that keeps its lines
    from grader.bundle.make import make_bundle  # noqa: PLC0415  # --help stays fast
    from grader.pipeline.key import FILE_NAME, course_key  # noqa: PLC0415  # likewise

    root, folder = find_course(course), out or Path(service)
    items = make_bundle(
        service,
        load_assignments(root, assignments),
        folder,
        course_key=lambda: course_key(options["seed_key"] or root / FILE_NAME, lambda told: say(told, err=True)),
        pip_options=options["pip_options"],
    )
    say("\n".join(item.path for item in items))
    say(f"made {folder}: {folder}/README.md says what to do with it", err=True)
