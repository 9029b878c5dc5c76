"""A file of a bundle, before it lies anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

PLAIN, PROGRAM, SECRET = 0o644, 0o755, 0o600


@dataclass(frozen=True)
class Item:
    """A file.

    Args:
        path: Where it lies in the bundle, with `/` between its parts.
        content: What is in it.
        mode: Who may read, write and run it.
    """

    path: str
    content: bytes
    mode: int = PLAIN


def under(folder: str, items: Iterable[Item]) -> list[Item]:
    """Return the files as they lie in a folder of the bundle."""
    return [replace(item, path=f"{folder}/{item.path}") for item in items]
