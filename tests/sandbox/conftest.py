from __future__ import annotations

import contextlib
import os
import shutil
import struct
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

import grader
from grader.model.manifest import Limits
from grader.sandbox.base import Level, Profile, Sandbox, Worker
from grader.sandbox.registry import BACKENDS

PACKAGE = Path(grader.__file__).parent
PROFILE = Profile(("numpy",), Limits(memory_mb=256, output_kb=64))


class Talk:
    """Says source to a worker that runs it, and hears what `result` was."""

    def __call__(self, worker: Worker, source: str) -> str:
        self.say(worker, source)
        return self.hear(worker)

    def say(self, worker: Worker, source: str) -> None:
        data = textwrap.dedent(source).encode()
        worker.socket.sendall(struct.pack("!I", len(data)) + data)

    def hear(self, worker: Worker) -> str:
        data = b""
        while len(data) < 4 or len(data) < 4 + struct.unpack("!I", data[:4])[0]:
            chunk = worker.socket.recv(1 << 16)
            if not chunk:
                raise EOFError
            data += chunk
        return data[4:].decode()


@pytest.fixture
def ask() -> Talk:
    return Talk()


@pytest.fixture(scope="session")
def copied() -> Iterator[Callable[[], Path]]:
    """Makes a copy of what a sandbox carries, with a worker that runs any source it is sent."""
    with tempfile.TemporaryDirectory(prefix="rowwise-carried-") as folder:
        # As a package is installed: where everyone may read it, which pytest's own folders are not.
        Path(folder).chmod(0o755)
        numbers = count()

        def copy() -> Path:
            package = Path(folder, str(next(numbers)), "grader")
            (package / "wire").mkdir(parents=True)
            shutil.copy(PACKAGE / "__init__.py", package)
            ours = shutil.ignore_patterns("main.py", "rehearsal.py", "__pycache__")
            shutil.copytree(PACKAGE / "worker", package / "worker", ignore=ours)
            for name in ("main.py", "rehearsal.py"):
                shutil.copy(Path(__file__).parent / "stand_in" / name, package / "worker")
            return package

        yield copy


@pytest.fixture(scope="session")
def stand_in(copied: Callable[[], Path]) -> Path:
    return copied()


def _opener(stand_in: Path) -> Iterator[Callable[..., Sandbox]]:
    with contextlib.ExitStack() as stack:

        def open_(level: Level, profile: Profile = PROFILE, package: Path = stand_in) -> Sandbox:
            backend = type(BACKENDS[level])(package)  # type: ignore[call-arg]  # every backend can be told what it carries
            if reason := backend.unavailable():
                pytest.skip(reason)
            return stack.enter_context(backend.open(profile))

        yield open_


@pytest.fixture
def opened(stand_in: Path) -> Iterator[Callable[..., Sandbox]]:
    """Opens a sandbox of a level for one test."""
    yield from _opener(stand_in)


@pytest.fixture(scope="module")
def opened_for_all(stand_in: Path) -> Iterator[Callable[..., Sandbox]]:
    """Opens a sandbox of a level that the tests of a file share: each forks workers of its own."""
    yield from _opener(stand_in)


def _parents() -> dict[int, int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                status = (entry / "stat").read_text()
                parents[int(entry.name)] = int(status.rpartition(")")[2].split()[1])
    return parents


@pytest.fixture
def descendants() -> Callable[[], set[int]]:
    """Lists every process that this one started, directly or not, the dead ones not yet waited for included."""

    def all_() -> set[int]:
        parents = _parents()
        found = {os.getpid()}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found - {os.getpid()}

    others = all_()  # those of other tests in this process, such as a pool's

    def list_() -> set[int]:
        return all_() - others

    return list_


@pytest.fixture
def descriptors() -> Callable[[], set[str]]:
    """Lists this process's open descriptors by number and what they are."""

    def list_() -> set[str]:
        found = set()
        for entry in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(OSError):
                found.add(f"{entry.name}: {entry.readlink()}")
        return {entry for entry in found if "/proc/" not in entry}

    return list_
