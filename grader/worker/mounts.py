"""The room a zygote lives in: a small root with read-only views of the few things that are needed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

from grader.worker import kernel

# Where the new root is put together: the one folder that is there on every Linux. It is covered in our own namespace only.
_SITE = "/proc"
_SEALED = kernel.READ_ONLY | kernel.NO_SUID | kernel.NO_DEVICES
_OWN = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC

# A worker's own mount covers the box. Landlock passes over a folder that is covered, and so is told of the one above it.
HOME = "/home"
BOX = "/home/student"
PACKAGES = "/packages"


def copy_views(views: list[dict[str, Any]]) -> list[int]:
    """Return detached read-only copies of the sources of some views.

    A source is looked up with the rights of whoever calls, so this comes before those rights are given up: an interpreter may lie below a
    home that nobody else may enter.
    """
    return [_copy_view(view) for view in views]


def _copy_view(view: dict[str, Any]) -> int:
    tree = kernel.copy_tree(view["source"])
    kernel.restrict_tree(tree, _SEALED & ~kernel.NO_DEVICES if view["device"] else _SEALED)
    return tree


def move_in(views: list[dict[str, Any]], trees: list[int], covers: list[str]) -> None:
    """Make a root of our own from the copies, leave the old one, and seal the new one.

    Args:
        views: `source`, `target` and whether it is a `device`.
        trees: Their copies, which are closed.
        covers: Folders inside a view that are hidden by an empty one.
    """
    kernel.mount("", "/", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", _SITE, _OWN, "mode=755,size=1m,nr_inodes=4096")
    for name in (BOX, "/proc"):
        Path(_SITE + name).mkdir(parents=True)
    for view, tree in zip(views, trees, strict=True):
        _attach(tree, Path(_SITE + view["target"]))
    for folder in covers:
        kernel.mount("tmpfs", _SITE + folder, _OWN | kernel.READ_ONLY, "mode=555,size=4k,nr_inodes=2")
    _leave_old_root()
    kernel.restrict_mount("/", _SEALED | kernel.NO_EXECUTION)


def _attach(tree: int, target: Path) -> None:
    if stat.S_ISDIR(os.fstat(tree).st_mode):
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    kernel.attach_tree(tree, str(target))
    os.close(tree)


def _leave_old_root() -> None:
    os.chdir(_SITE)
    # Both at one place: the old root is then stacked on the new one, and detached from there.
    kernel.pivot_root(".", ".")
    kernel.unmount(".")
    os.chdir("/")


def work_folder(size: int, inodes: int, user: int) -> None:
    """Mount an empty folder over the box that one user may write to, and work there."""
    kernel.mount("tmpfs", BOX, _OWN, f"mode=700,uid={user},gid={user},size={size},nr_inodes={inodes}")
    os.chdir(BOX)
