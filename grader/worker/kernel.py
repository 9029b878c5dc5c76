"""The kernel's calls that Python has no name for, over ctypes.

Every call raises OSError where the kernel refuses; none hides an error. Calls from 424 on have one number on all architectures.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Sequence
from itertools import pairwise

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REC = 0x4000
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

# Attributes of a mount, for open_tree and mount_setattr.
READ_ONLY = 1
NO_SUID = 2
NO_DEVICES = 4
NO_EXECUTION = 8

PR_SET_PDEATHSIG = 1
PR_GET_DUMPABLE = 3
PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_GET_SECCOMP = 21
PR_SET_SECCOMP = 22
PR_CAPBSET_READ = 23
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_NO_NEW_PRIVS = 38
PR_GET_NO_NEW_PRIVS = 39
PR_CAP_AMBIENT = 47

_LAST_DESCRIPTOR = 0xFFFFFFFF
_AT_FDCWD = -100
_AT_EMPTY_PATH = 0x1000
_AT_RECURSIVE = 0x8000
_OPEN_TREE_CLONE = 1
_MOVE_MOUNT_FROM_DESCRIPTOR = 4
_CAPABILITY_VERSION_3 = 0x20080522
_SECCOMP_MODE_FILTER = 2
_MADV_COLLAPSE = 25

_libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


def _syscall(name: str, number: int, *arguments: int | bytes | None) -> int:
    # syscall(2) takes longs; an argument without a type would go as an int and leave the upper half of a register unset.
    longs = [ctypes.c_long(a) if isinstance(a, int) else ctypes.c_char_p(a) for a in arguments]
    return _call(name, _libc.syscall(ctypes.c_long(number), *longs))


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags` for new ones."""
    _call("unshare", _libc.unshare(ctypes.c_int(flags)))


def setns(descriptor: int, kind: int) -> None:
    """Enter, for one kind of namespace, the one a pidfd's process is in."""
    _call("setns", _libc.setns(ctypes.c_int(descriptor), ctypes.c_int(kind)))


def prctl(option: int, *arguments: int) -> int:
    """Ask something about, or of, this process."""
    longs = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return _call(f"prctl {option}", _libc.prctl(ctypes.c_int(option), *longs))


def rename(name: str) -> None:
    """Give this process a name that a list of processes shows, of 15 bytes at most."""
    text = ctypes.create_string_buffer(name.encode())
    prctl(PR_SET_NAME, ctypes.addressof(text))


def mount(kind: str, target: str, flags: int, data: str = "") -> None:
    """Mount a file system of a kind, or change the propagation of a mount where `kind` is empty."""
    longs = ctypes.c_ulong(flags)
    _call(f"mount on {target}", _libc.mount(kind.encode(), target.encode(), kind.encode(), longs, data.encode()))


def unmount(target: str) -> None:
    """Detach what is mounted at `target` with all below it."""
    _call(f"umount {target}", _libc.umount2(target.encode(), ctypes.c_int(MNT_DETACH)))


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root and put the old root at `old`."""
    _call("pivot_root", _libc.pivot_root(new.encode(), old.encode()))


def copy_tree(path: str) -> int:
    """Return a descriptor of a detached copy of the mounts at and below `path`."""
    flags = _OPEN_TREE_CLONE | os.O_CLOEXEC | _AT_RECURSIVE
    return _syscall(f"open_tree {path}", 428, _AT_FDCWD, os.fsencode(path), flags)


def attach_tree(tree: int, target: str) -> None:
    """Put a detached copy in place at `target`."""
    _syscall(f"move_mount {target}", 429, tree, b"", _AT_FDCWD, os.fsencode(target), _MOVE_MOUNT_FROM_DESCRIPTOR)


def restrict_tree(tree: int, attributes: int) -> None:
    """Set attributes on every mount of a detached copy, and cut it off from what its origin does later."""
    _mount_setattr(tree, b"", _AT_EMPTY_PATH | _AT_RECURSIVE, attributes)


def restrict_mount(target: str, attributes: int) -> None:
    """Set attributes on the mount at `target`."""
    _mount_setattr(_AT_FDCWD, os.fsencode(target), 0, attributes)


def _mount_setattr(descriptor: int, path: bytes, flags: int, attributes: int) -> None:
    wanted = bytes((ctypes.c_uint64 * 4)(attributes, 0, MS_PRIVATE, 0))
    _syscall("mount_setattr", 442, descriptor, path, flags, wanted, len(wanted))


def close_all_but(kept: Sequence[int]) -> None:
    """Close every descriptor that is not among these."""
    ordered = sorted(set(kept))
    for before, after in pairwise([-1, *ordered, _LAST_DESCRIPTOR + 1]):
        if before + 1 < after:
            _syscall("close_range", 436, before + 1, after - 1, 0)


def collapse(start: int, length: int) -> None:
    """Put what lies in whole huge pages of this span of memory into huge pages."""
    _call("madvise", _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), ctypes.c_int(_MADV_COLLAPSE)))


def drop_capabilities() -> None:
    """Give up every capability, in all sets, for good."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _call("capset", _libc.capset(header, nothing))


def capabilities() -> int:
    """Return the capabilities this process has in any of its sets, as bits."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    _call("capget", _libc.capget(header, sets))
    return sets[0] | sets[1] | sets[2] | (sets[3] | sets[4] | sets[5]) << 32


def can_filter_calls() -> bool:
    """Whether seccomp filters can be had: with no program given, the kernel that has them misses the program."""
    try:
        prctl(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT
    return False


def filter_calls(program: bytes) -> None:
    """Put a seccomp filter, as an array of `struct sock_filter`, over every call from now on."""
    code = ctypes.create_string_buffer(program, len(program))
    head = (ctypes.c_uint64 * 2)(len(program) // 8, ctypes.addressof(code))
    address = ctypes.addressof(head)
    prctl(PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, address)


def landlock_version() -> int:
    """Return the version of Landlock's interface; raises OSError where the kernel has none."""
    return _syscall("landlock_create_ruleset", 444, None, 0, 1)


def landlock_ruleset(handled: Sequence[int]) -> int:
    """Return a descriptor of a ruleset that refuses what is handled: words of files, network and scope."""
    words = bytes((ctypes.c_uint64 * len(handled))(*handled))
    return _syscall("landlock_create_ruleset", 444, words, len(words), 0)


def landlock_allow(ruleset: int, access: int, descriptor: int) -> None:
    """Allow some access below the file of a descriptor."""
    rule = access.to_bytes(8, "little") + descriptor.to_bytes(4, "little")
    _syscall("landlock_add_rule", 445, ruleset, 1, rule, 0)


def landlock_enforce(ruleset: int) -> None:
    """Put this process, and all it starts, under a ruleset."""
    _syscall("landlock_restrict_self", 446, ruleset, 0)
