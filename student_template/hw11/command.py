"""The program: arguments, a command, an exit code."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from hw11.arguments import parser
from hw11.errors import HomeworkError
from hw11.plot import plot
from hw11.sample import sample
from hw11.train import INTERRUPTED, train

COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {"train": train, "sample": sample, "plot": plot}
TO_MEND = 1


def run(called: str, here: Path, words: Sequence[str]) -> int:
    """Run a command and return the exit code.

    Args:
        called: What is typed after `python`, with {} where the command stands.
        here: The folder whose modules are taken where --code names no other.
        words: The arguments.
    """
    arguments = parser(called, here).parse_args(words)
    arguments.called = called.format(arguments.command)
    try:
        return COMMANDS[arguments.command](arguments)
    except HomeworkError as error:
        return _tell(str(error))
    except NotImplementedError as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        return _tell(
            f"{error or place.name} is still to do ({where})\nhint: write it there; `grader check {error}` tests it"
        )
    except KeyboardInterrupt:
        sys.stderr.write("stopped at once; --resume goes on from the last checkpoint\n")
        return INTERRUPTED


def _tell(message: str) -> int:
    sys.stderr.write(f"error: {message}\n")
    return TO_MEND
