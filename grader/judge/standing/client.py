"""A standing judge, as whoever asks it holds it."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
from types import TracebackType
from typing import BinaryIO, Self

from pydantic import ValidationError

from grader.course.assignment import Assignment
from grader.judge.job import Job
from grader.judge.run import Stopped, deadline, ending, environment, judge_folder
from grader.model.evidence import Evidence

_LOOK_EVERY_SECONDS = 0.02
_START_SECONDS = 180.0  # torch on a cold and busy disk, twice
_SHOWN = 2000


class StandingJudge:
    """Judges one submission after another to one assignment. Whatever happens to its process, the next finds a fresh one.

    Args:
        assignment: The assignment.
    """

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._kept = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._said: BinaryIO | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._ready = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start its process, if it does not live; nobody waits until it is ready.

        Raises:
            OSError: It could not be started.
        """
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        folder = self._kept.enter_context(judge_folder())
        self._said = self._kept.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # closed with the rest
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "grader.judge.standing", str(self._assignment.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            cwd=folder,
            env=environment() | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder),
            start_new_session=True,
        )
        self._ready, self._lines = False, queue.Queue()
        threading.Thread(
            target=_read, args=(self._process.stdout, self._lines), name="standing-judge", daemon=True
        ).start()

    def run(self, job: Job, assignment: Assignment, stop: threading.Event | None = None) -> Evidence:
        """Judge one submission; see `grader.judge.run.run_suite`.

        Raises:
            Stopped: `stop` was set. The judge is gone then, and the next run begins anew.
        """
        try:
            self.start()
            if not self._ready:
                self._answer(stop, _START_SECONDS)
                self._ready = True
            self._ask(job)
            return Evidence.model_validate_json(self._answer(stop, deadline(assignment)))
        except TimeoutError:
            self.close()
            return _problem(assignment, "the judge did not end in time")
        except (EOFError, ValidationError):
            problem = self._ended()
            self.close()
            return _problem(assignment, problem)
        except (OSError, MemoryError) as error:
            self.close()
            return _problem(assignment, f"no judge could be had: {type(error).__name__}: {error}")
        except BaseException:
            self.close()
            raise

    def _ask(self, job: Job) -> None:
        assert self._process  # noqa: S101  # it was started
        assert self._process.stdin  # noqa: S101  # it is a pipe: we asked for one
        try:
            self._process.stdin.write(job.model_dump_json().encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise EOFError from error

    def _answer(self, stop: threading.Event | None, seconds: float) -> bytes:
        until = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=_LOOK_EVERY_SECONDS)
            except queue.Empty:
                if stop is not None and stop.is_set():
                    raise Stopped from None
                if time.monotonic() > until:
                    raise TimeoutError from None
            else:
                if not line:
                    raise EOFError
                return line

    def _ended(self) -> str:
        assert self._process  # noqa: S101  # it was started
        assert self._said  # noqa: S101  # likewise
        self._process.kill()
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip()[-_SHOWN:] or "it said nothing"
        return f"the judge {ending(self._process.wait())} and gave no result: {said}"

    def close(self) -> None:
        """End its process. A later `run` begins anew."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]  # both are pipes: we asked for them
        self._process = None
        self._kept.close()


def _read(stream: BinaryIO, lines: queue.Queue[bytes]) -> None:
    """Hand on each line, and an empty one at the end."""
    with contextlib.suppress(OSError, ValueError):
        for line in stream:
            lines.put(line)
    lines.put(b"")


def _problem(assignment: Assignment, message: str) -> Evidence:
    return Evidence(assignment=assignment.id, problem=message)
