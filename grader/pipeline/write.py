"""Write files so that nobody ever sees half of one."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel

from grader.model.errors import GraderError


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: the old file or the new one is there, never a part.

    Raises:
        GraderError: The folder cannot be written to.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A new file of the usual kind: who may read it is for the umask to say.
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        raise GraderError(
            f"cannot be written: {error.strerror}", where=path, hint="is the disk full? --out names another folder"
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink()


def as_json(model: BaseModel) -> str:
    """Return a report as text, with the keys in the order of its schema and non-ASCII text as it is."""
    return model.model_dump_json(indent=2, by_alias=True) + "\n"
