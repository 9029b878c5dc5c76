"""A container, or an ordinary user, on a machine where tests run as root: what is refused there is refused here, and then a command is run.

`command(kind, arguments)` is what to run. As in a container of Docker's defaults, the system calls that make namespaces and mounts are refused by a
filter over everything, control groups cannot be written, and root keeps few capabilities. Interpreter, packages and repository, which may
lie below root's home, are shown at their own places to the user who has no rights.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
sys.path.insert(0, str(REPOSITORY))

from grader.worker import kernel  # noqa: E402 - found through the line above

USER = 65534

# In Docker's default profile these are refused to everyone without CAP_SYS_ADMIN. By name: numbers on x86-64 and aarch64.
_REFUSED = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
}
_CLONE, _CLONE3, _PRCTL, _SECCOMP = (56, 220), (435, 435), (157, 167), (317, 277)
_LANDLOCK = (444, 445, 446)
_NAMESPACES = 0x7E020000
_CAPABILITIES = frozenset({0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31})
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000

KINDS = {
    "ordinary": "an ordinary user of the machine itself",
    "root": "root in a container",
    "user": "an ordinary user in a container",
    "no-landlock": "root in a container whose kernel has no Landlock",
    "no-seccomp": "root in a container that lets nobody have filters",
}


def command(kind: str, arguments: Sequence[str], readable: Sequence[Path] = ()) -> list[str]:
    """Return the command that runs another one, which starts with an interpreter, as if on such a machine.

    Args:
        kind: One of `KINDS`.
        arguments: The command.
        readable: Further paths that must be reachable, however closed the folders above them.
    """
    shown = ":".join(map(str, readable))
    return [sys.executable, str(Path(__file__)), kind, shown, *arguments]


def _main(kind: str, shown: str, arguments: list[str]) -> None:
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("", "/", kernel.MS_REC | kernel.MS_PRIVATE)
    if kind in ("ordinary", "user", "no-landlock"):
        own = [sys.base_prefix, sys.prefix, str(REPOSITORY), *filter(None, shown.split(":"))]
        _open_ways([Path(path) for path in own])
    if kind != "ordinary":
        kernel.mount("tmpfs", "/sys/fs/cgroup", 1, "mode=555,size=4k")
        kernel.filter_calls(_program(kind))
        _keep_few_capabilities()
    if kind in ("ordinary", "user"):
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    environment = {**os.environ, "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    os.execve(arguments[0], arguments, environment)  # noqa: S606 - the tests' own command


def _open_ways(paths: list[Path]) -> None:
    """Make each path reachable: a closed folder above it is covered by an open one that holds nothing else."""
    needed = [path for path in dict.fromkeys(paths) if _closed_above(path)]
    trees = [kernel.copy_tree(str(path)) for path in needed]
    for folder in dict.fromkeys(closed for path in needed if (closed := _closed_above(path))):
        kernel.mount("tmpfs", str(folder), 0, "mode=755")
    for path, tree in zip(needed, trees, strict=True):
        path.mkdir(parents=True, exist_ok=True)
        kernel.attach_tree(tree, str(path))
        os.close(tree)


def _closed_above(path: Path) -> Path | None:
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001), None)


def _keep_few_capabilities() -> None:
    for capability in range(64):
        if capability not in _CAPABILITIES:
            try:
                kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
            except OSError:
                return


def _program(kind: str) -> bytes:
    place = ("x86_64", "aarch64").index(platform.machine())
    refused = dict.fromkeys((numbers[place] for numbers in _REFUSED.values()), errno.EPERM)
    refused[_CLONE3[place]] = errno.ENOSYS
    if kind == "no-landlock":
        refused |= dict.fromkeys(_LANDLOCK, errno.ENOSYS)
    if kind == "no-seccomp":
        refused[_SECCOMP[place]] = errno.ENOSYS
    lines = [(0x20, 0, 0, 0)]
    for number, error in refused.items():
        lines += [(0x15, 0, 1, number), (0x06, 0, 0, _ERROR | error)]
    lines += _with_argument(_CLONE[place], 0x45, _NAMESPACES, errno.EPERM)
    if kind == "no-seccomp":
        lines += _with_argument(_PRCTL[place], 0x15, kernel.PR_SET_SECCOMP, errno.EINVAL)
    return b"".join(struct.pack("=HBBI", *line) for line in [*lines, (0x06, 0, 0, _ALLOW)])


def _with_argument(number: int, test: int, value: int, error: int) -> list[tuple[int, int, int, int]]:
    """Refuse a call whose first argument passes a test: is equal to a value, or has one of its bits."""
    return [(0x15, 0, 4, number), (0x20, 0, 0, 16), (test, 0, 1, value), (0x06, 0, 0, _ERROR | error), (0x20, 0, 0, 0)]


if __name__ == "__main__":
    _main(sys.argv[1], sys.argv[2], sys.argv[3:])
