"""Find, and clear away, files that attacks left where everybody may write."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

SHARED = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/run/lock"))  # noqa: S108 - these are what is looked at


def cleared(words: Collection[str], folders: Sequence[Path] = SHARED) -> dict[str, list[str]]:
    """Remove what carries a word in its name, and return what that was, by word.

    Args:
        words: The words that attacks were told to put into names.
        folders: Where to look; not below them.
    """
    found: dict[str, list[str]] = {word: [] for word in words}
    for path in _entries(folders):
        for word in words:
            if word in path.name:
                found[word].append(str(path))
                _remove(path)
    return found


def _entries(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        with suppress(OSError):
            yield from [folder / name for name in os.listdir(folder)]  # noqa: PTH208 - names that are no text as well


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
