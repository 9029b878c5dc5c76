"""What is fuzzed, and the bounds that every input must keep to."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from hypothesis.strategies import SearchStrategy

CORPUS = Path(__file__).parent / "corpus"
MIB = 2**20
SECONDS = 5.0  # of processor time, which a busy machine does not stretch


class Input(NamedTuple):
    """Bytes to be read, and the end of the file's name that says as what."""

    suffix: str
    data: bytes


class Target(Protocol):
    """One boundary where bytes come in that nobody vouches for. A target is a module."""

    def inputs(self) -> SearchStrategy[Input]:
        """Return inputs of the right form, and of nearly the right form."""
        ...

    def mended(self, changed: Input, choice: int) -> Input:
        """Return a mutated input with its outer layers made whole, so that the inner ones are reached too.

        Args:
            changed: An input with some bytes changed.
            choice: A random number, to decide what is made whole.
        """
        ...

    def check(self, path: Path) -> str:
        """Read a file as what its name says.

        Returns:
            What became of it, in a word or two.

        Raises:
            Exception: A finding: whatever comes out that should not.
        """
        ...


@contextmanager
def bounded(memory: int) -> Iterator[None]:
    """Hold what runs inside to `SECONDS` of processor time and some bytes of memory at once."""
    with tracing():
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        began = time.process_time()
        yield
        seconds, peak = time.process_time() - began, tracemalloc.get_traced_memory()[1] - before
    assert seconds < SECONDS, f"took {seconds:.1f} s"
    assert peak < memory, f"took {peak / MIB:.1f} MiB"


@contextmanager
def tracing() -> Iterator[None]:
    """Have memory traced. Around many inputs it is started once, for each start leaves some kilobytes behind."""
    if tracemalloc.is_tracing():
        yield
        return
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()
