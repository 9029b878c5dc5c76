"""Control groups: the kernel's own account of a worker's memory and processes, where the judge may make one."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from grader.model.manifest import Limits
from grader.sandbox.allowance import MIB
from grader.sandbox.base import Broken

# A worker is told of too much memory by a MemoryError, from its limit of address space; the group is the net below that, for what that
# limit does not count: it stands a little lower down, so that an honest submission meets the error first.
_SLACK = 32 * MIB
_ROOT = Path("/sys/fs/cgroup")
_PATIENCE = 1.0
_TICK = 0.001


class Group(NamedTuple):
    """One group for one worker: a folder in each hierarchy that was to be had.

    Args:
        folders: The folders by what they hold, `memory` and `pids`; both the same where there is one hierarchy.
    """

    folders: dict[str, Path]

    def add(self, process: int) -> None:
        """Move a process into the group.

        Raises:
            OSError: The kernel refused it.
        """
        for folder in set(self.folders.values()):
            (folder / "cgroup.procs").write_text(str(process))

    def release(self) -> Broken:
        """Remove the group, whose processes are gone, and return what they broke. A thread too many was refused, not punished."""
        killed = _count(self.folders["memory"], ("memory.events", "memory.oom_control"), "oom_kill") > 0
        for folder in set(self.folders.values()):
            _remove(folder)
        return Broken(memory=killed, processes=False)


def group(limits: Limits) -> Group | None:
    """Return a new group with the limits of one worker, or None where this machine lets us have none."""
    homes = _homes()
    if homes is None:
        return None
    name = f"rowwise-{os.getpid()}-{secrets.token_hex(4)}"
    made = Group({kind: home / name for kind, home in homes.items()})
    try:
        for folder in set(made.folders.values()):
            folder.mkdir()
        _set(made, limits)
    except OSError:
        made.release()
        return None
    return made


def _set(made: Group, limits: Limits) -> None:
    memory = made.folders["memory"]
    name = "memory.max" if (memory / "memory.max").exists() else "memory.limit_in_bytes"
    (memory / name).write_text(str(limits.memory_mb * MIB + _SLACK))
    if (memory / "memory.swap.max").exists():
        (memory / "memory.swap.max").write_text("0")
    (made.folders["pids"] / "pids.max").write_text(str(limits.processes))


@functools.cache
def _homes() -> dict[str, Path] | None:
    """Return the folders that groups can be made in; found out once, by making one."""
    found = {kind: next(filter(_usable(kind), _candidates(kind)), None) for kind in ("memory", "pids")}
    homes = {kind: home for kind, home in found.items() if home}
    for home in homes.values():
        _sweep(home)
    return homes if len(homes) == len(found) else None


def _sweep(home: Path) -> None:
    """Remove the groups of judges that were killed before they could."""
    for left in home.glob("rowwise-*-*"):
        if not Path("/proc", left.name.split("-")[1]).exists():
            with contextlib.suppress(OSError):
                left.rmdir()


def _candidates(kind: str) -> Iterator[Path]:
    """Yield the judge's own group and the one above it, for each hierarchy that may hold a kind of thing."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            if kind in kinds.split(",") or not kinds:
                own = (_ROOT / kinds if kinds else _ROOT) / path.lstrip("/")
                # In the second version a group that holds processes cannot give its children limits: those beside it can have them.
                yield from (own, own.parent)


def _usable(kind: str) -> Callable[[Path], bool]:
    limit = {"memory": ("memory.max", "memory.limit_in_bytes"), "pids": ("pids.max",)}[kind]

    def usable(home: Path) -> bool:
        if not os.access(home / "cgroup.procs", os.W_OK):
            return False
        tried = home / f"rowwise-{os.getpid()}-{kind}"
        try:
            tried.mkdir()
        except OSError:
            return False
        held = any((tried / name).exists() for name in limit)
        _remove(tried)
        return held

    return usable


def _count(folder: Path, names: tuple[str, ...], key: str) -> int:
    for name in names:
        with contextlib.suppress(OSError, ValueError):
            fields = dict(line.split() for line in (folder / name).read_text().splitlines())
            return int(fields.get(key, 0))
    return 0


def _remove(folder: Path) -> None:
    """Remove a group's folder; the kernel keeps it for a moment after its last process."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > end:
                return
            time.sleep(_TICK)
        else:
            return
