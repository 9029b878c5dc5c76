"""Clusters of real processes on this machine, as the README starts them, and a wire that remembers what went over it."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tests.docs.readme import ROOT
from tests.executors import readme
from tests.faults.processes import Process, alive, arguments, children

_PATIENCE = 60.0


class Cluster:
    """A running cluster.

    Args:
        address: Its scheduler's address.
        roots: The processes that were started for it.
        file: Its scheduler's file, where there is one.
    """

    def __init__(self, address: str, roots: list[int], file: Path | None = None) -> None:
        self.address, self._roots, self.file = address, roots, file

    def is_left(self) -> bool:
        """Whether no judge is there any more, after a while."""
        deadline = time.monotonic() + _PATIENCE
        while self.judges() and time.monotonic() < deadline:
            time.sleep(0.05)
        return not self.judges()

    def judges(self) -> dict[Process, Process]:
        """The servers of judges that there are, each with the worker of Dask's that has it."""
        return {child: parent for root in self._roots for parent, child in _pairs(root) if _is_server(child)}


@contextlib.contextmanager
def scheduler_and_workers(
    folder: Path, *options: str, env: Mapping[str, str] = {}, stranger: bool = False
) -> Iterator[Cluster]:
    """`dask scheduler` and `dask worker` as the README starts them, but for the port; and a worker with another grader."""
    dask, file = [sys.executable, "-m", "dask"], folder / "scheduler.json"
    quiet = ["--no-dashboard", *options]
    with contextlib.ExitStack() as running:
        start = functools.partial(_running, folder=folder, env=env)
        running.enter_context(start([*dask, "scheduler", *readme.command("scheduler"), "--port", "0", *quiet]))
        _await(lambda: file.exists() and file.read_text("utf-8").strip())
        files = ["--local-directory", str(folder / "files")]
        workers = running.enter_context(start([*dask, "worker", *readme.command("worker"), *files, *quiet]))
        if stranger:
            other = ["--scheduler-file", str(file), "--host", "127.0.0.1", "--no-nanny", *files, *quiet]
            env = {**env, "PYTHONPATH": str(_another_grader(folder))}
            running.enter_context(_running([*dask, "worker", *other], folder=folder, env=env))
        _await(lambda: (folder / "log").read_bytes().count(b"Registered to:") == 2 + stranger)
        yield Cluster(json.loads(file.read_text("utf-8"))["address"], [workers.pid], file)


def _another_grader(folder: Path) -> Path:
    """A grader that differs in a comment."""
    home = folder / "other"
    shutil.copytree(ROOT / "grader", home / "grader", ignore=shutil.ignore_patterns("__pycache__"))
    with (home / "grader" / "judge" / "run.py").open("a", encoding="utf-8") as module:
        module.write("# changed\n")
    return home


@contextlib.contextmanager
def local_cluster(folder: Path) -> Iterator[Cluster]:
    """The README's program that starts a `LocalCluster`."""
    script = folder / "cluster.py"
    script.write_text(readme.local_cluster(), encoding="utf-8")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with _running([sys.executable, str(script)], folder, {"DASK_TEMPORARY_DIRECTORY": str(folder)}, **pipes) as root:
        assert root.stdout
        yield Cluster(root.stdout.readline().decode("ascii").strip(), [root.pid])


@contextlib.contextmanager
def _running(
    command: list[str], folder: Path, env: Mapping[str, str], **more: int
) -> Iterator[subprocess.Popen[bytes]]:
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **env}
    with (folder / "log").open("ab") as log:
        usual = {"stdout": log, "stderr": log, "cwd": folder, "env": env, "start_new_session": True}
        process = subprocess.Popen(command, **usual | more)
    with process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(_PATIENCE / 4)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def _pairs(pid: int) -> Iterator[tuple[Process, Process]]:
    parent = alive(pid)
    for child in children(pid) if parent else []:
        yield parent, child
        yield from _pairs(child.pid)


def _is_server(process: Process) -> bool:
    return b"grader.judge.warm" in arguments(process.pid)


def _await(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not true():
        assert time.monotonic() < deadline, "the cluster did not come"
        time.sleep(0.05)


@contextlib.contextmanager
def recorded(address: str) -> Iterator[tuple[str, bytearray]]:
    """A wire to a scheduler; yields the address of its near end, and all that a client sent."""
    there = urlsplit(address)
    sent = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_accept, args=[listener, (there.hostname, there.port), sent], daemon=True).start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}", sent


def _accept(listener: socket.socket, there: tuple[str, int], sent: bytearray) -> None:
    with contextlib.suppress(OSError):
        while True:
            near, far = listener.accept()[0], socket.create_connection(there)
            threading.Thread(target=_pass_on, args=[near, far, sent], daemon=True).start()
            threading.Thread(target=_pass_on, args=[far, near, None], daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket, kept: bytearray | None) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            if kept is not None:
                kept += data
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
