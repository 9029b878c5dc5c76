"""The course key: whoever holds it can compute every hidden input, so it is one file that only its owner reads."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path

from grader.model.errors import UsageError

FILE_NAME = ".seed-key"
_BYTES = 32
_ANOTHER = "name another with --seed-key FILE"
_COPY = "put your copy back; a new key changes every hidden input"


def course_key(path: Path, announce: Callable[[str], None]) -> bytes:
    """Return the key in `path`; make one, readable by its owner alone, where there is none.

    Args:
        path: The key file.
        announce: Told when a key was made, for losing it means that no grade can be reproduced.

    Raises:
        UsageError: The file cannot be read or made, or is no key.
    """
    try:
        _make(path, announce)
    except OSError as error:
        raise UsageError(f"the course key cannot be made: {error.strerror}", where=path, hint=_ANOTHER) from error
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except OSError as error:
        raise UsageError(f"the course key cannot be read: {error.strerror}", where=path, hint=_ANOTHER) from error
    except ValueError as error:
        raise UsageError("not a course key: it holds 64 hexadecimal digits", where=path, hint=_COPY) from error
    if len(key) != _BYTES:
        raise UsageError("not a course key: it is too short or too long", where=path, hint=_COPY)
    return key


def _make(path: Path, announce: Callable[[str], None]) -> None:
    # Written whole under another name and then linked: of two runs that find no key, one makes it and
    # both use it, and a run that is interrupted leaves no half a key.
    if path.exists():
        return
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(_BYTES) + "\n")
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        announce(
            f"made a course key in {_shown(path)}: keep it secret and keep a copy, for it decides every hidden input"
        )
    finally:
        Path(draft).unlink()


def _shown(path: Path) -> str:
    """The path as a reader knows it: from where they stand, as far as there is a way."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return str(path)
