"""A run's state on disk, by the `save_checkpoint` and `load_checkpoint` of the modules that are loaded."""

from __future__ import annotations

import pickle
from pathlib import Path

from hw11.errors import HomeworkError
from hw11.folder import writing
from hw11.loop import Run


def save(path: Path, run: Run, made: int) -> None:
    """Write the state after `made` steps.

    Raises:
        HomeworkError: The file cannot be written.
    """
    with writing(path):
        run.code.training.save_checkpoint(path, run.model, run.optimizer, run.generator, made)


def restore(path: Path, run: Run) -> int:
    """Bring a run to the state of a checkpoint, and return how many steps were made.

    Raises:
        HomeworkError: There is no checkpoint, or it is another model's, or damaged.
    """
    try:
        return int(run.code.training.load_checkpoint(path, run.model, run.optimizer, run.generator))
    except NotImplementedError:
        raise
    except (OSError, EOFError, RuntimeError, ValueError, KeyError, pickle.UnpicklingError) as error:
        raise HomeworkError(
            f"cannot go on from {path}: {str(error).splitlines()[0]}",
            hint="the file must be this run's own, with the code that wrote it",
        ) from error
