"""Everything that a command prints goes through here, for some of it was written by strangers."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress

import click

from grader.cli.process import forget
from grader.escape.terminal import block
from grader.model.errors import GraderError


def say(text: str, *, err: bool = False) -> None:
    """Print lines on stdout or stderr: nothing in them moves a cursor, turns text around, or hides.

    Raises:
        GraderError: Nobody reads standard output any more. That nobody reads stderr is passed over: there is no one to tell.
    """
    if err:
        with suppress(OSError):
            click.echo(block(text), err=True)
        return
    _out(f"{block(text)}\n")


def say_lines(lines: Iterable[str]) -> None:
    """Print lines on stdout as `say` does; a terminal gets them folded to its width, what is carried over further in.

    Raises:
        GraderError: As `say`.
    """
    told = list(lines)
    if not told:
        return
    text = "\n".join(told)
    if not sys.stdout.isatty():
        say(text)
        return
    from grader.kit.folding import folded  # noqa: PLC0415  # only a terminal needs it

    width = shutil.get_terminal_size().columns
    say("\n".join(row for line in text.split("\n") for row in folded(line, width)))


def write(document: str) -> None:
    """Write a document to stdout as it is: a format made it, and escaped what strangers wrote for where it lands.

    Raises:
        GraderError: Nobody reads standard output any more.
    """
    # As bytes: lines end alike on every system, and a file that it goes to is UTF-8 on every system.
    _out(document.encode())


def _out(text: str | bytes) -> None:
    try:
        click.echo(text, nl=False)
    except BrokenPipeError as error:
        forget(sys.stdout)
        raise GraderError("not everything could be told: nobody reads the output any more") from error
