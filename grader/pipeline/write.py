"""Write files so that nobody ever sees half of one."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from grader.escape.record import inert
from grader.model.errors import GraderError

_HINT = "is the disk full? --out names another folder"
_DIGITS = 16


def write_atomically(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: the old file or the new one is there, never a part.

    Raises:
        GraderError: The folder cannot be written to.
    """
    write_together({path: text})


def write_together(texts: Mapping[Path, str]) -> None:
    """Write several files that belong together: all of them are written in full before the first takes its place.

    Raises:
        GraderError: A folder cannot be written to. Then the files are as they were.
    """
    drafts: dict[Path, Path] = {}
    place = next(iter(texts))
    try:
        for folder in dict.fromkeys(each.parent for each in texts):
            folder.mkdir(parents=True, exist_ok=True)
        for place, text in texts.items():
            drafts[place] = place.with_name(f".{place.name}.{secrets.token_hex(_DIGITS // 2)}")
            _write(drafts[place], text)
        for place in texts:
            drafts[place].replace(place)
            del drafts[place]
    except OSError as error:
        raise GraderError(f"cannot be written: {error.strerror}", where=place, hint=_HINT) from error
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()


def remove_drafts(folder: Path, names: Sequence[str]) -> None:
    """Remove what runs that were killed in the middle of writing some files left in a folder. No other run may be writing there."""
    draft = re.compile(rf"\.({'|'.join(map(re.escape, names))})\.[0-9a-f]{{{_DIGITS}}}")
    with suppress(OSError):
        for name in filter(draft.fullmatch, os.listdir(folder)):  # noqa: PTH208 - a path for each name of a class is slow
            (folder / name).unlink(missing_ok=True)


def as_json(model: BaseModel, *, nulls: bool = True) -> str:
    """Return a document as text, with the keys in the order of its schema and text of any language as it is.

    What could act on the terminal of somebody who looks at the file is escaped.

    Args:
        model: What stands in it.
        nulls: Whether what is None is written as `null`; else it is left out.
    """
    try:
        document = model.model_dump_json(indent=2, by_alias=True, exclude_none=not nulls)
    except PydanticSerializationError:  # half of a surrogate pair, which is of no UTF-8: that is made harmless too
        document = json.dumps(
            model.model_dump(mode="json", by_alias=True, exclude_none=not nulls), indent=2, ensure_ascii=False
        )
    return inert(document) + "\n"


def _write(draft: Path, text: str) -> None:
    # A new file of the usual kind: who may read it is for the umask to say.
    with draft.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
