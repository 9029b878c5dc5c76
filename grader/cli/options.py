"""Options that several commands share."""

from __future__ import annotations

import getpass
from pathlib import Path

import click

from grader.kit.language import LANGUAGES, kit_language


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may have a user without a name
        return ""


course_option = click.option(
    "--course",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The course, or a folder inside it; by default the working directory.",
)

language_option = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default=lambda: kit_language(Path.cwd()),
    envvar="GRADER_LANG",
    show_envvar=True,
    show_default="what kit.toml says, else en",
    help="The language of what is told.",
)

author_option = click.option("--author", default=_user, help="Who decides; by default who is logged in.")
