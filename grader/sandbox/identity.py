"""Which user of this machine a sandbox is, seen from outside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_CAP_SETGID, _CAP_SETUID, _CAP_SYS_ADMIN = 6, 7, 21

# Far above what systems, containers and directory services give out; the process id makes them others for each sandbox.
_UNUSED = 1_900_000_000
_MANY = 10_000

# A sandbox has so many ids: the first is its zygote's, the others its workers' in turn.
BLOCK = 32


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


def unused_ids(process: int, id_map: str) -> int | None:
    """Return the first of `BLOCK` user and group ids that nobody has.

    Args:
        process: A number of the sandbox's, so that two sandboxes differ.
        id_map: The ids that exist in the judge's own namespace, as /proc/self/uid_map lists them.

    Returns:
        The id, or None where the namespace has too few.
    """
    ranges = [(int(first), int(count)) for first, _, count in (line.split() for line in id_map.splitlines())]
    first, count = max(ranges, key=lambda entry: entry[1])
    offset = BLOCK * (process % (1 << 22))
    if first <= _UNUSED + offset and _UNUSED + offset + BLOCK <= first + count:
        return _UNUSED + offset
    if count <= _MANY:
        return None
    return first + count - 10 - BLOCK - offset % (_MANY // 2)  # the last few are `nobody` and its like


def workers_ids(first: int) -> dict[str, int]:
    """Return, for a zygote's plan, the ids that its workers take in turn, where `first` is the zygote's own."""
    return {"first": first + 1, "count": BLOCK - 1}


def own_ids() -> str:
    """Return the ids that exist in the judge's own user namespace."""
    return Path("/proc/self/uid_map").read_text()


def write_maps(process: int) -> None:
    """Map the first users and groups of a process that made a user namespace to ids that nobody has, as far as there are such.

    Raises:
        OSError: The kernel refused it.
    """
    for kind in ("uid", "gid"):
        outside = unused_ids(process, Path(f"/proc/self/{kind}_map").read_text())
        Path(f"/proc/{process}/{kind}_map").write_text("0 0 1" if outside is None else f"0 {outside} {BLOCK}")
