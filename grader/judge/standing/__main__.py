"""A standing judge's process: a job on each line of standard input, evidence on each of standard output."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from grader.judge.standing.serve import serve


def main() -> None:
    """Judge what standard input asks for until it ends."""
    # The answers have a descriptor of their own: nothing that is printed here can get between.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        serve(Path(sys.argv[1]), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
