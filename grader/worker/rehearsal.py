"""A worker's work, done once by the zygote on a program of ours: what Python learns from it, every worker has from the start.

Python keeps where it found a name in a class, and rewrites code that has run a few times. Each worker would do that anew, and copy
each page that it writes to.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from socket import SHUT_WR, socketpair
from typing import Any

import numpy as np

from grader.wire.channel import Channel
from grader.wire.messages import Bounds, Call, Import, Load, Message
from grader.worker.main import serve
from grader.worker.piece import FUNCTION, PROGRAM, TIMES

_BOUNDS = Bounds(reply_mb=64, memory_mb=1024, processes=64, open_files=128, file_mb=16)


def rehearse(packages: Sequence[str]) -> list[Message]:
    """Load a program, import it and call it, as a judge would have it done, and return the answers. The process is left as it was found.

    Args:
        packages: What a submission may import.
    """
    ours, theirs = socketpair()
    with ours:
        judge = Channel(ours)
        script = [*_script(packages)]
        for message in script:
            judge.send(message)
        # There is no other process: all is asked before the first answer, and small enough to lie in the socket.
        ours.shutdown(SHUT_WR)
        serve(theirs)
        return [judge.receive() for _ in script]


def _script(packages: Sequence[str]) -> Iterator[Message]:
    yield Load({"rehearsal.py": PROGRAM}, ["rehearsal"], list(packages), [], _BOUNDS, [])
    yield Import("rehearsal")
    for values in _values(packages):
        yield from [Call(f"rehearsal.{FUNCTION}", values, {"scale": 2.0})] * TIMES


def _values(packages: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    array = np.ones((2, 3))
    yield array, array
    if "torch" in packages and "torch" in sys.modules:
        tensor = sys.modules["torch"].ones(2, 3)
        yield tensor, tensor
