"""Resource limits, which a worker sets on itself before it sees a byte of a submission."""

from __future__ import annotations

import sys
from typing import NamedTuple


class Allowance(NamedTuple):
    """What one worker may use.

    Args:
        memory: Bytes of address space on top of what the process has when the limits are set.
        cpu_seconds: CPU seconds of its whole life, after which the kernel kills it: a backstop, for the judge times each call.
        file_bytes: Bytes of the largest file it may write.
        open_files: Open file descriptors.
        processes: Threads and processes.
    """

    memory: int
    cpu_seconds: int
    file_bytes: int
    open_files: int
    processes: int


class Size(NamedTuple):
    """Bytes a process has mapped: all of it, and data alone."""

    total: int
    data: int


if sys.platform != "win32":
    import resource

    def own_size(status: bytes) -> Size:
        """Read the size of a process from its /proc/<pid>/status, which counts in KiB."""
        fields = dict(line.split(b":", 1) for line in status.splitlines())
        total, data = (int(fields[name].split()[0]) * 1024 for name in (b"VmSize", b"VmData"))
        return Size(total, data)

    def common(allowance: Allowance) -> dict[int, int]:
        """Return the limits that mean the same on every POSIX system."""
        return {
            resource.RLIMIT_CPU: allowance.cpu_seconds,
            resource.RLIMIT_FSIZE: allowance.file_bytes,
            resource.RLIMIT_NOFILE: allowance.open_files,
            resource.RLIMIT_CORE: 0,
        }

    def memory(allowance: Allowance, size: Size) -> dict[int, int]:
        """Return the limits of address space and of data, relative to what is mapped already."""
        return {resource.RLIMIT_AS: size.total + allowance.memory, resource.RLIMIT_DATA: size.data + allowance.memory}

    def lift() -> None:
        """Take back the soft limit of data that the judge has for itself and that was inherited from it."""
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))

    def apply(limits: dict[int, int]) -> None:
        """Set each limit, soft and hard, never above the hard limit that holds already.

        Raises:
            OSError: The kernel refused one.
        """
        for kind, wanted in limits.items():
            _, hard = resource.getrlimit(kind)
            value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(kind, (value, value))
