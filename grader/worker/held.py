"""Folders that a worker's user may not look up, such as an interpreter below root's home: held open, and reached through their descriptors.

The zygote opens them while it may. /proc/self/fd/<n> leads straight to what is open, past the folders above it; what may be read there is
still for Landlock to say.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.worker.shown import Shown


def hold(paths: Iterable[str]) -> dict[str, str]:
    """Open each path that other users cannot look up.

    Returns:
        From such a path to the name that stands for it from now on.
    """
    return {path: _held(Path(path)) for path in paths if not _open_to_all(path)}


def _held(path: Path) -> str:
    if path.is_dir():
        return f"/proc/self/fd/{os.open(path, os.O_PATH | os.O_CLOEXEC)}"
    return f"{_held(path.parent)}/{path.name}"  # a file's name says how it is imported


def descriptors(names: Mapping[str, str]) -> list[int]:
    """Return the descriptors that are held."""
    return [int(name.split("/")[4]) for name in names.values()]


def rename(names: Mapping[str, str]) -> None:
    """Have the import system, with all it has imported, use the new names."""
    sys.path[:] = [_renamed(folder, names) for folder in sys.path]
    for finder in sys.meta_path:
        if isinstance(finder, Shown):
            finder.places = {name: _renamed(place, names) for name, place in finder.places.items()}
    for module in list(sys.modules.values()):
        _rename_in(module, names)
    sys.path_importer_cache.clear()


def _rename_in(module: Any, names: Mapping[str, str]) -> None:  # noqa: ANN401  # whatever is in sys.modules
    folders = getattr(module, "__path__", None)
    if isinstance(folders, list):
        folders[:] = [_renamed(folder, names) for folder in folders]


def _renamed(path: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        if path == old or path.startswith(f"{old}/"):
            return new + path[len(old) :]
    return path


def _open_to_all(path: str) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in Path(path).parents)
