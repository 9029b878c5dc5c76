"""How much memory a judge may take: enough for any suite, and not all that a machine has.

What a submission returns is bounded, but what a test makes of it is not. A judge that meets its limit sees a
`MemoryError` where the memory was asked for, in the body of a test, and that is sorted out like any other.
"""

from __future__ import annotations

import sys
from pathlib import Path

from grader.model.manifest import Limits

_MIB = 1 << 20
# A test may be given 2 GiB altogether; the rest is for what it and the comparisons make of that.
_ROOM_MB = 4096
# A reply lies here as bytes, as values, and copied into the next request.
_REPLIES = 8

if sys.platform == "linux":
    import resource

    from grader.worker.rlimits import own_size

    def own_data() -> int:
        """Return how many bytes of data this process has."""
        return own_size(Path("/proc/self/status").read_bytes()).data

    def limit_memory(data: int, limits: Limits) -> None:
        """Hold this process to what it has now and a generous rest.

        Only the soft limit is set: it is inherited, and whoever is started from here may lift it again.

        Args:
            data: How many bytes of data it has.
            limits: The assignment's.
        """
        wanted = data + (_ROOM_MB + _REPLIES * limits.reply_mb) * _MIB
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        # Data alone: packages reserve address space that they never use.
        if soft == resource.RLIM_INFINITY or wanted < soft:
            resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))

else:

    def own_data() -> int:
        """Return none: it is of no use elsewhere."""
        return 0

    def limit_memory(data: int, limits: Limits) -> None:
        """Do nothing: elsewhere the kernel does not hold a limit of data."""
