"""A judge's process: a job on standard input, evidence on standard output."""

from __future__ import annotations

import os
import sys

from grader.judge.job import Job
from grader.judge.session import judge


def main() -> None:
    """Judge what standard input asks for."""
    job = Job.model_validate_json(sys.stdin.buffer.read())
    # The answer has a descriptor of its own: nothing that is printed here can get between.
    with os.fdopen(os.dup(1), "wb") as answer:
        os.dup2(2, 1)
        answer.write(judge(job, alone=True).model_dump_json().encode())


if __name__ == "__main__":
    main()
