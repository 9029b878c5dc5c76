"""Disks that are full or read-only: mounts that only one command sees."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

_SCRIPT = 'set -e; eval "$1"; shift; exec "$@"'


def under(mounts: str) -> list[str]:
    """The beginning of a command that runs with some mounts of its own; the words of `mounts` are shell."""
    return ["unshare", "--mount", "sh", "-c", _SCRIPT, "sh", mounts]


@functools.cache
def refusal() -> str | None:
    """Why this machine does not let us mount, or None where it does."""
    if sys.platform != "linux":
        return "mount namespaces are Linux's"
    try:
        ran = subprocess.run([*under("mount -t tmpfs tmpfs /mnt"), "true"], capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return ran.stderr.strip() or None if ran.returncode else None


def full(folder: Path, size: str) -> str:
    """A disk of a few kilobytes over a folder."""
    return f"mount -t tmpfs -o size={size} tmpfs '{folder}'"


def without_files(folder: Path) -> str:
    """A disk over a folder on which no file can be made."""
    return f"mount -t tmpfs -o nr_inodes=1 tmpfs '{folder}'"


def read_only(folder: Path) -> str:
    """A folder as it is, but read-only."""
    return f"mount --bind '{folder}' '{folder}'; mount -o remount,bind,ro '{folder}'"


def writable(folder: Path) -> str:
    """A folder as it is, writable although what is around it is not; to be mounted before that."""
    return f"mount --bind '{folder}' '{folder}'"
