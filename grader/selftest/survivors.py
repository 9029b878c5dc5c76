"""Look through all processes of this machine for words that attacks were told to leave on theirs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path

_PROC = Path("/proc")


def survivors(words: Collection[str], proc: Path = _PROC) -> dict[str, list[str]]:
    """Return the living processes that carry each word in their name, arguments or environment.

    Args:
        words: The words.
        proc: Where the processes are listed; on systems without such a folder none is found.
    """
    found: dict[str, list[str]] = {word: [] for word in words}
    for entry in proc.iterdir() if proc.is_dir() else ():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            shown = _shown(entry)
            for word in words:
                # The kernel keeps 15 bytes of a name.
                if word.encode() in shown["whole"] or word[:15].encode() in shown["name"]:
                    found[word].append(f"{entry.name} {shown['name'].decode(errors='replace').strip()}")
    return found


def _shown(entry: Path) -> dict[str, bytes]:
    shown = {"name": b"", "whole": b""}
    for name in ("cmdline", "environ"):
        with contextlib.suppress(OSError):
            shown["whole"] += (entry / name).read_bytes()
    for comm in (entry / "comm", *entry.glob("task/*/comm")):
        with contextlib.suppress(OSError):
            shown["name"] += comm.read_bytes()
    return shown
