"""Which user of this machine a sandbox is, seen from outside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_CAP_SETGID, _CAP_SETUID, _CAP_SYS_ADMIN = 6, 7, 21

# Far above what systems, containers and directory services give out; the process id makes it another for each sandbox.
_UNUSED = 1_900_000_000
_MANY = 10_000


class Rights(NamedTuple):
    """What the judge may do about identities and mounts.

    Args:
        maps: It may map a sandbox to another user than itself.
        mounts: It may copy mounts outside a user namespace of its own.
    """

    maps: bool
    mounts: bool


def rights() -> Rights:
    """Return the judge's rights, as the kernel states them."""
    status = Path("/proc/self/status").read_text()
    effective = int(next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:")), 16)
    root = os.geteuid() == 0
    may = {number: bool(effective >> number & 1) for number in (_CAP_SETGID, _CAP_SETUID, _CAP_SYS_ADMIN)}
    return Rights(maps=root and may[_CAP_SETGID] and may[_CAP_SETUID], mounts=root and may[_CAP_SYS_ADMIN])


def unused_id(process: int, id_map: str) -> int | None:
    """Return a user and group id that nobody has.

    Args:
        process: The sandbox's process id, so that two sandboxes differ.
        id_map: The ids that exist in the judge's own namespace, as /proc/self/uid_map lists them.

    Returns:
        The id, or None where the namespace has too few.
    """
    ranges = [(int(first), int(count)) for first, _, count in (line.split() for line in id_map.splitlines())]
    first, count = max(ranges, key=lambda entry: entry[1])
    if first <= _UNUSED + process < first + count:
        return _UNUSED + process
    if count <= _MANY:
        return None
    return first + count - 10 - process % (_MANY // 2)  # the last few are `nobody` and its like


def write_maps(process: int) -> None:
    """Map user and group 0 of a process that made a user namespace to an id that nobody has.

    Raises:
        OSError: The kernel refused it.
    """
    for kind in ("uid", "gid"):
        outside = unused_id(process, Path(f"/proc/self/{kind}_map").read_text())
        Path(f"/proc/{process}/{kind}_map").write_text(f"0 {outside or 0} 1")
