"""What a canary tries: each probe returns what was possible, in words, or nothing where it was refused."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import mmap
import os
import resource
import socket
from collections.abc import Callable
from typing import NamedTuple

from grader.worker import kernel, lockdown, mounts

_PTRACE_SEIZE = 0x4206  # attach without stopping: PTRACE_ATTACH would freeze the judge where it works
_SECCOMP_FILTERS = 2
_libc = ctypes.CDLL(None, use_errno=True)
_refused = contextlib.suppress(OSError)


class Task(NamedTuple):
    """What the judge prepared.

    Args:
        planted: A file outside that the judge can read.
        judge: The judge's process id.
        port: A TCP port of 127.0.0.1 on which the judge listens.
        memory: How many bytes a worker may map.
        environment: The names of the variables that may be there.
        kept: The descriptors that may be open beside the streams and the socket.
        left_out: The steps of the lock-down that the level does without.
    """

    planted: str
    judge: int
    port: int
    memory: int
    environment: list[str]
    kept: list[int]
    left_out: list[str]


def _denied(result: int) -> bool:
    """Whether a call of the C library was turned away by the filter, not merely unsuccessful."""
    return result < 0 and ctypes.get_errno() == errno.EPERM


def _planted_file(task: Task) -> str:
    with _refused, open(task.planted, "rb"):  # noqa: PTH123 - the plainest way, as a submission would
        return "a file outside can be opened"
    return ""


def _root_folder(_: Task) -> str:
    with _refused:
        return f"the root folder can be listed: {len(os.listdir('/'))} entries"  # noqa: PTH208 - one call, no objects
    return ""


def _writing(task: Task) -> str:
    places = (os.path.dirname(task.planted), "/", "/packages", "/tmp", os.path.dirname(os.__file__))  # noqa: PTH120, S108 - places to be refused
    return next(filter(None, map(_made_file, places)), "")


def _made_file(place: str) -> str:
    name = os.path.join(place, "canary")  # noqa: PTH118 - as above
    with _refused:
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT))
        os.unlink(name)  # noqa: PTH108 - as above
        return f"a file can be made in {place}"
    return ""


def _work_folder(task: Task) -> str:
    if "box" in task.left_out:
        return _made_file(os.curdir)
    if os.getcwd() != mounts.BOX:  # noqa: PTH109 - as above
        return f"it works in {os.getcwd()}"  # noqa: PTH109 - as above
    with open("canary", "wb"):  # noqa: PTH123 - as above
        os.unlink("canary")  # noqa: PTH108 - as above
    return ""


def _proc(_: Task) -> str:
    with _refused:
        if names := os.listdir("/proc"):  # noqa: PTH208 - as above
            return f"/proc shows {len(names)} entries"
    return ""


def _others(task: Task) -> str:
    for pid in (task.judge, os.getppid(), 0, -1):
        with _refused:
            os.kill(pid, 0)
            return f"a signal can be sent to {pid}"
    _libc.ptrace.restype = ctypes.c_long
    if not _denied(_libc.ptrace(_PTRACE_SEIZE, task.judge, None, None)):
        return "ptrace is not refused"
    return ""


def _session(_: Task) -> str:
    return "" if os.getsid(0) == os.getpid() else "it shares a session with the process that started it"


def _fork(_: Task) -> str:
    with _refused:
        child = os.fork()
        if not child:
            os._exit(0)
        os.waitpid(child, 0)
        return "a process can be forked"
    return ""


def _execute(_: Task) -> str:
    try:
        os.execv("/", ["canary"])  # noqa: S606 - a folder, which cannot be executed even where execution is allowed
    except OSError as error:
        return "" if error.errno == errno.EPERM else f"execve is not refused: {error}"


def _internet(task: Task) -> str:
    with _refused, socket.create_connection(("127.0.0.1", task.port), timeout=0.2):
        return "the judge's network can be reached"
    with _refused, socket.socket(socket.AF_INET, socket.SOCK_DGRAM):
        return "an internet socket can be made"
    return ""


def _local_socket(_: Task) -> str:
    with _refused, socket.socket(socket.AF_UNIX):
        return "a local socket can be made"
    return ""


def _memory(task: Task) -> str:
    with _refused, mmap.mmap(-1, task.memory + mmap.PAGESIZE):
        return f"{task.memory >> 20} MiB and more can be mapped"
    return ""


def _cpu(_: Task) -> str:
    return "CPU time is not limited" if resource.getrlimit(resource.RLIMIT_CPU)[1] == resource.RLIM_INFINITY else ""


def _limits(_: Task) -> str:
    with contextlib.suppress(ValueError):  # how Python reports EPERM here
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return "a limit can be set"
    return ""


def _filter(_: Task) -> str:
    if kernel.prctl(kernel.PR_GET_SECCOMP) != _SECCOMP_FILTERS:
        return "no seccomp filter is in force"
    for name, arguments in (
        ("unshare", (kernel.CLONE_NEWUSER,)),
        ("memfd_create", (b"canary", 0)),
        ("personality", (0,)),
    ):
        if not _denied(_libc[name](*arguments)):
            return f"{name} is not refused"
    return ""


def _identity(_: Task) -> str:
    if not _denied(_libc.setresuid(1, 1, 1)):
        return "it can become another user"
    return ""


def _capabilities(_: Task) -> str:
    kept = kernel.capabilities()
    return f"capabilities {kept:#x} are kept" if kept else ""


def _bounding(task: Task) -> str:
    if (
        "bounding" in task.left_out
    ):  # by a level for which whoever grades may not drop them; without privileges they are nobody's
        return ""
    kept = [number for number in range(41) if _capability(number)]
    return f"capabilities {kept} could be had again" if kept else ""


def _capability(number: int) -> int:
    with _refused:
        return kernel.prctl(kernel.PR_CAPBSET_READ, number)
    return 0


def _privileges(_: Task) -> str:
    return "" if kernel.prctl(kernel.PR_GET_NO_NEW_PRIVS) else "a program could give it new privileges"


def _dumpable(_: Task) -> str:
    return "it can be looked into by a process of its own user" if kernel.prctl(kernel.PR_GET_DUMPABLE) else ""


def _descriptors(task: Task) -> str:
    kept = [n for n in range(lockdown.SOCKET + 1, 256) if n not in task.kept and _is_open(n)]
    return f"descriptors {kept} are open" if kept else ""


def _is_open(descriptor: int) -> bool:
    with _refused:
        os.fstat(descriptor)
        return True
    return False


def _environment(task: Task) -> str:
    more = sorted(set(os.environ) - set(task.environment))
    return f"the environment has {more}" if more else ""


PROBES: dict[str, Callable[[Task], str]] = {
    "planted file": _planted_file,
    "root folder": _root_folder,
    "writing": _writing,
    "work folder": _work_folder,
    "descriptors": _descriptors,
    "environment": _environment,
    "internet": _internet,
    "local socket": _local_socket,
    "proc": _proc,
    "other processes": _others,
    "session": _session,
    "fork": _fork,
    "execute": _execute,
    "memory": _memory,
    "cpu": _cpu,
    "filter": _filter,
    "limits": _limits,
    "identity": _identity,
    "capabilities": _capabilities,
    "bounding": _bounding,
    "privileges": _privileges,
    "dumpable": _dumpable,
}
