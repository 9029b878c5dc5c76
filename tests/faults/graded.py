"""Run `grader grade` as a person would, with a temporary folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Run(NamedTuple):
    """What came of a run."""

    code: int
    said: str
    left_in_temp: list[str]


def grade(
    course: Path,
    submissions: Sequence[Path],
    out: Path,
    *options: str,
    during: Callable[[int], None] = lambda _: None,
    prefix: Sequence[str] = (),
    environment: Mapping[str, str] = {},
    **more: Any,
) -> Run:
    """Grade submissions to the only assignment of a course.

    Args:
        course: The course; beside it lies the key.
        submissions: The submissions, or folders of them.
        out: Where reports go; beside it lies the temporary folder.
        options: More of the command line.
        during: Called with the grader's process number as soon as it runs.
        prefix: A command to run the grader under.
        environment: Variables to set.
        more: What else `subprocess.Popen` is to be told.
    """
    temp = out.with_name(f"{out.name}-temp")
    temp.mkdir(exist_ok=True)
    assignment = next((course / "assignments").iterdir()).name
    command = [*prefix, sys.executable, "-m", "grader", "grade", *map(str, submissions), "-a", assignment]
    command += ["--out", str(out), "--seed-key", str(course.with_name("key")), *options]
    settings = {"cwd": course, "env": os.environ | {"TMPDIR": str(temp)} | environment, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **settings | more) as run:
        during(run.pid)
        _, said = run.communicate()
    return Run(run.returncode, said or "", sorted(path.name for path in temp.iterdir()))
