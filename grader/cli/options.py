"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

course_option = click.option(
    "--course",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The course, or a folder inside it; by default the working directory.",
)

language_option = click.option(
    "--lang",
    "language",
    type=click.Choice(["en", "zh-TW"]),
    default="en",
    envvar="GRADER_LANG",
    show_default=True,
    help="The language of explanations.",
)
