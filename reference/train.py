"""Train with the reference: the given program of Homework 11 over these modules.

python -m reference.train --preset nano --corpus builtin --out RUN
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(command: str = "train") -> int:
    """Run a command of the program, with what stands on the command line, and return its exit code."""
    sys.path.insert(0, str(HERE.parent / "student_template"))
    from hw11.command import run  # noqa: PLC0415  (it lies where a student has it)

    return run("-m reference.{}", HERE, [command, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
