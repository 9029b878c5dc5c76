"""This side of the keeper: the process that starts the grader, whose id attackers are told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.model.errors import GraderError


@dataclass(frozen=True)
class Ran:
    """What came of a command.

    Args:
        code: Its exit code; None where it had to be killed for its time.
        left: The processes that it left behind, as their command lines.
        said: What it printed, on both streams.
    """

    code: int | None
    left: tuple[str, ...]
    said: str


class Keeper:
    """A process that runs commands; a context manager that ends it with all that it still holds."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", "-s", str(Path(__file__).with_name("keeper.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = int(self._answer())

    def run(self, argv: Sequence[str], *, env: dict[str, str], cwd: Path, said: Path, seconds: float) -> Ran:
        """Run a command and return what came of it.

        Args:
            argv: The command.
            env: Variables to add to those of this process.
            cwd: Where to run it.
            said: The file for what it prints.
            seconds: How long it may take.

        Raises:
            GraderError: The keeper itself was killed.
        """
        task = {"argv": argv, "env": {**os.environ, **env}, "cwd": str(cwd), "said": str(said), "seconds": seconds}
        if self._process.stdin is not None and self._process.poll() is None:
            self._process.stdin.write(f"{json.dumps(task)}\n")
            self._process.stdin.flush()
        answer = json.loads(self._answer())
        return Ran(answer["code"], tuple(answer["left"]), said.read_text("utf-8", errors="replace"))

    def _answer(self) -> str:
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        if not line:
            raise GraderError(
                "the process that started the grader was killed", hint="an attack got through; run them one by one"
            )
        return line

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
