"""RUN/: the files of a run, each of which is whole at any time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw11.errors import HomeworkError

_TORCH_WRITER = ("PytorchStreamWriter", "inline_container", "iostream")


@dataclass(frozen=True)
class RunFolder:
    """Where a run's files lie."""

    path: Path

    @property
    def record(self) -> Path:
        """All numbers of the run, and what came of it."""
        return self.path / "run.json"

    @property
    def metrics(self) -> Path:
        """A row for each logged step."""
        return self.path / "metrics.csv"

    @property
    def picture(self) -> Path:
        """The curves."""
        return self.path / "loss.png"

    @property
    def samples(self) -> Path:
        """What the model writes, to be read; the same for machines is in `samples.json`."""
        return self.path / "samples.md"

    @property
    def checkpoint(self) -> Path:
        """What a run goes on from."""
        return self.path / "checkpoint.pt"

    @property
    def tokenizer(self) -> Path:
        """The vocabulary."""
        return self.path / "tokenizer.json"

    def require_free(self, again: str) -> None:
        """Make sure that nothing is lost when a new run is written here; one that ended before its first step is nothing.

        Args:
            again: The command that goes on with the run.

        Raises:
            HomeworkError: There is a run here.
        """
        if not self.record.exists() or self._holds_no_step():
            return
        other = f"name another folder with --out, or delete {self.path}"
        hint = f"it is finished: {other}" if self.samples.exists() else f"go on with it:\n    {again}\nor {other}"
        raise HomeworkError(f"{self.path} holds a run already", hint=hint)

    def _holds_no_step(self) -> bool:
        return self.metrics.is_file() and len(self.metrics.read_text("utf-8").splitlines()) <= 1

    def create(self) -> None:
        """Make the folder.

        Raises:
            HomeworkError: It cannot be made.
        """
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)

    def read_record(self) -> dict[str, Any]:
        """Return what `run.json` holds.

        Raises:
            HomeworkError: There is none, or it is damaged.
        """
        try:
            record: dict[str, Any] = json.loads(self.record.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise HomeworkError(
                f"{self.path} holds no run: {error}", hint="name the folder that a training run wrote"
            ) from error
        if record.get("schema_version") != 1:
            raise HomeworkError(
                f"{self.record} is of another version of this program", hint="take the program that wrote it"
            )
        return record


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say of a file that cannot be written which it is and what to do.

    Raises:
        HomeworkError: The disk is full, or the file or folder cannot be written to.
    """
    try:
        yield
    except OSError as error:
        raise _unwritten(path, error.strerror or str(error)) from error
    except RuntimeError as error:
        # torch's own writer raises it where Python's would raise OSError; any other is not of the disk.
        if not any(word in str(error) for word in _TORCH_WRITER):
            raise
        raise _unwritten(path, "the disk took only a part of it") from error


def _unwritten(path: Path, reason: str) -> HomeworkError:
    return HomeworkError(
        f"cannot write {path}: {reason}",
        hint="make room on the disk, or mend the folder's rights; the last checkpoint is whole, and --resume goes on from it",
    )


def write(path: Path, text: str) -> None:
    """Replace a file in one move.

    Raises:
        HomeworkError: It cannot be written.
    """
    beside = path.with_name(f"{path.name}.part")
    with writing(path):
        beside.write_text(text, "utf-8", newline="\n")
        beside.replace(path)
