"""The command that goes on with a run."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path


def again(arguments: argparse.Namespace, folder: Path) -> str:
    """Return the command that goes on with the run in a folder, which was begun with these arguments."""
    words = ["--resume", str(folder)]
    for option in ("corpus", "code"):
        if getattr(arguments, option) != arguments.parser.get_default(option):
            words += [f"--{option}", str(getattr(arguments, option))]
    return f"python {arguments.called} {shlex.join(words)}"
