"""What a judge needs of the machine before it reads anything: with less, faults would be told of whoever happened to meet them."""

from __future__ import annotations

import sys

from grader.model.errors import GraderError

# A judge with a sandbox and a worker holds about 20 at once; the rest is for what it imports and reads.
_DESCRIPTORS = 64

if sys.platform == "win32":

    def refuse_a_small_room() -> None:
        """Do nothing: a process has as many files there as it opens."""

else:
    import resource

    def refuse_a_small_room() -> None:
        """Make sure that the judge can open the files that it will need.

        A suite that cannot be opened for want of a descriptor would otherwise look like a fault of the course.

        Raises:
            GraderError: It cannot.
        """
        allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if allowed != resource.RLIM_INFINITY and allowed < _DESCRIPTORS:
            raise GraderError(
                f"a judge may open {allowed} files at once, and needs {_DESCRIPTORS}", hint="ulimit -n 256 allows more"
            )
