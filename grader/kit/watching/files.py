"""What tells that a file was saved: the system where it does, else a look at the folder ten times a second."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event as Flag
from typing import Protocol

_LOOK_EVERY_SECONDS = 0.05
# An editor that saves writes several times; the last of them is waited for so long.
_SETTLED_MS = 10
_TOGETHER_MS = 200


class Watcher(Protocol):
    """One way of being told of saves. A watcher is a function."""

    def __call__(self, folder: Path, changed: Callable[[], None], stop: Flag, /) -> None:
        """Call `changed` whenever something in the folder may have changed, until `stop` is set.

        Raises:
            OSError: The system does not tell of this folder.
        """
        ...


def by_system(folder: Path, changed: Callable[[], None], stop: Flag, /) -> None:
    """Have the system tell; see `Watcher`.

    Raises:
        ImportError: watchfiles is not installed.
        OSError: The system does not tell of this folder, or has no room for one more to be told.
    """
    watch = importlib.import_module("watchfiles").watch
    for _ in watch(
        folder, stop_event=stop, step=_SETTLED_MS, debounce=_TOGETHER_MS, recursive=True, raise_interrupt=False
    ):
        changed()


def by_looking(folder: Path, changed: Callable[[], None], stop: Flag, /) -> None:
    """Compare times and sizes; see `Watcher`."""
    before = _seen(folder)
    while not stop.wait(_LOOK_EVERY_SECONDS):
        now = _seen(folder)
        if now != before:
            before = now
            changed()


def _seen(folder: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for path in [*folder.glob("*"), *folder.glob("*/*")]:
        try:
            stat = path.stat()
        except OSError:  # it was there a moment ago
            continue
        found[str(path)] = stat.st_mtime_ns, stat.st_size
    return found


WATCHERS: Mapping[str, Watcher] = {"system": by_system, "looking": by_looking}


def watch(folder: Path, changed: Callable[[], None], stop: Flag, watchers: Mapping[str, Watcher] = WATCHERS) -> None:
    """Call `changed` whenever something in a folder may have changed, by the first way that this machine has."""
    for watcher in watchers.values():
        try:
            watcher(folder, changed, stop)
        except (ImportError, OSError, RuntimeError):
            continue
        if stop.is_set():
            return
