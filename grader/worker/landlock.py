"""Landlock: what of the file system, the network and other processes is left to a worker."""

from __future__ import annotations

import os
from collections.abc import Iterable

from grader.worker import kernel

# Access to files, as bits; each version of the interface knows more of them.
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIRECTORY = 1 << 3
_REMOVE_DIRECTORY = 1 << 4
_REMOVE_FILE = 1 << 5
_MAKE_DIRECTORY = 1 << 7
_MAKE_FILE = 1 << 8
_MAKE_LINK = 1 << 12
_RENAME = 1 << 13
_TRUNCATE = 1 << 14

_FILE_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NETWORK_BITS = 2  # bind and connect of TCP, from version 4 on
_SCOPE_BITS = 2  # abstract sockets and signals, from version 6 on

READ = _READ_FILE | _READ_DIRECTORY
LIST = _READ_DIRECTORY
DEVICE = _READ_FILE | _WRITE_FILE
WORK = (
    READ
    | _WRITE_FILE
    | _REMOVE_DIRECTORY
    | _REMOVE_FILE
    | _MAKE_DIRECTORY
    | _MAKE_FILE
    | _MAKE_LINK
    | _RENAME
    | _TRUNCATE
)
_ON_A_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE


def ruleset(allowed: Iterable[tuple[str, int]]) -> int:
    """Return, as a descriptor, rules that refuse everything Landlock can refuse, save access to these paths and what is below them.

    Raises:
        OSError: The kernel has no Landlock, or a path is not there.
    """
    handled = _handled(kernel.landlock_version())
    rules = kernel.landlock_ruleset(handled)
    try:
        for path, access in allowed:
            _allow(rules, path, access & handled[0])
    except BaseException:
        os.close(rules)
        raise
    return rules


def enforce(rules: int) -> None:
    """Put this process under rules, and close their descriptor.

    Raises:
        OSError: The kernel refused it.
    """
    try:
        kernel.landlock_enforce(rules)
    finally:
        os.close(rules)


def _handled(version: int) -> list[int]:
    files = (1 << _FILE_BITS[min(version, max(_FILE_BITS))]) - 1
    network = (1 << _NETWORK_BITS) - 1
    scope = (1 << _SCOPE_BITS) - 1
    return [files, *([network] if version >= 4 else []), *([scope] if version >= 6 else [])]


def _allow(rules: int, path: str, access: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        folder = os.path.isdir(path)  # noqa: PTH112 - one system call less than a Path, in every worker
        kernel.landlock_allow(rules, access if folder else access & _ON_A_FILE, descriptor)
    finally:
        os.close(descriptor)
