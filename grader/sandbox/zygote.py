"""The judge's side of a zygote: starts it, asks it for workers, hears how they ended."""

from __future__ import annotations

import contextlib
import os
import socket as sockets
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from grader.model.errors import GraderError, SandboxUnavailableError
from grader.sandbox.environment import for_zygote
from grader.sandbox.identity import write_maps
from grader.sandbox.remedies import remedy
from grader.worker.control import Control, Packet

# The interpreter starts with nothing but the standard library; the grader's folder comes last, so that nothing there hides a part of it.
_BOOT = "import sys; sys.path.append(sys.argv[1]); from grader.worker.launch import main; main(int(sys.argv[2]))"

# How long the packages may take to be imported, torch on a cold and busy disk included, and how long a fork may take.
_START_PATIENCE = 120.0
_FORK_PATIENCE = 30.0
_CLOSE_PATIENCE = 5.0


class Zygote:
    """A running zygote.

    Args:
        package: The folder of the `grader` package that it is started from.
        plan: What it is to set up.

    Raises:
        SandboxUnavailableError: A step was refused; the hint is the remedy.
    """

    def __init__(self, package: Path, plan: dict[str, Any]) -> None:
        ours, theirs = sockets.socketpair(sockets.AF_UNIX, sockets.SOCK_SEQPACKET)
        self._control = Control(ours)
        self._lock = threading.Lock()
        self._ended: dict[int, dict[str, Any]] = {}
        self._said = os.fdopen(os.memfd_create("zygote"), "rb", buffering=0)
        self._process: subprocess.Popen[bytes] | None = None
        try:
            with theirs:
                self._process = self._start(str(package.parent), theirs)
            self._control.send(plan | {"root": str(package.parent)})
            self._await_readiness(self._process.pid)
        except BaseException:
            self.close()
            raise

    def _start(self, root: str, theirs: sockets.socket) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-P", "-s", "-S", "-c", _BOOT, root, str(theirs.fileno())],
            cwd="/",
            env=for_zygote(),
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=self._said,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )

    def _await_readiness(self, process: int) -> None:
        while True:
            message = self._next(_START_PATIENCE).message
            if "ready" in message:
                return
            if "unshared" in message:
                write_maps(process)
                self._control.send({"mapped": True})
            if "failed" in message:
                raise SandboxUnavailableError(
                    f"the sandbox could not be set up, at {message['failed']}: {message['error']}",
                    hint=remedy(message["failed"]),
                )

    def _next(self, patience: float) -> Packet:
        try:
            self._control.connection.settimeout(patience)
            packet = self._control.receive()
        except TimeoutError:
            raise GraderError(f"the sandbox did not answer within {patience:.0f} s", hint=self._words()) from None
        except OSError:
            packet = None
        if packet is None:
            raise GraderError("the sandbox ended unexpectedly", hint=self._words())
        return packet

    def _words(self) -> str:
        if self._said.closed:
            return "it was closed before"
        lines = os.pread(self._said.fileno(), 1 << 16, 0).decode(errors="replace").strip().splitlines()
        return f"its last words: {lines[-1]}" if lines else "was it killed? see the system's log"

    def fork(
        self, number: int, theirs: int, output: int, held_to: dict[str, Any], canary: dict[str, Any] | None = None
    ) -> int:
        """Have a worker started and locked down.

        Args:
            number: What to call it; each at most once.
            theirs: The descriptor of its socket.
            output: The descriptor of its output.
            held_to: What it may use.
            canary: The canary's task, where it is one.

        Returns:
            A pidfd of it.

        Raises:
            SandboxUnavailableError: A step of the lock-down was refused; no untrusted byte was run.
            GraderError: The zygote is gone, or does not answer.
        """
        with self._lock:
            with contextlib.suppress(OSError):  # that it is gone is found out below
                self._control.send({"fork": number, "held_to": held_to, "canary": canary}, [theirs, output])
            while True:
                packet = self._answer()
                if packet.message.get("forked") == number:
                    return packet.descriptors[0]
                if packet.message.get("refused") == number:
                    self._refused(packet.message)
                self._ended[packet.message["ended"]] = packet.message

    def _answer(self) -> Packet:
        try:
            return self._next(_FORK_PATIENCE)
        except GraderError:
            self._kill()  # an answer that comes late would be taken for the next one
            raise

    def _refused(self, message: dict[str, Any]) -> None:
        raise SandboxUnavailableError(
            f"a worker could not be locked down, at {message['step']}: {message['error']}", hint=remedy(message["step"])
        )

    def ended(self, number: int, timeout: float) -> dict[str, Any] | None:
        """Return how a worker ended, or None where that has not been heard in time or never will be."""
        end = time.monotonic() + timeout
        with self._lock:
            while number not in self._ended and (left := end - time.monotonic()) > 0:
                try:
                    message = self._next(left).message
                except GraderError:
                    break
                self._ended[message["ended"]] = message
            return self._ended.get(number)

    def close(self) -> None:
        """End it; the kernel takes all its workers with it."""
        self._control.connection.close()
        try:
            if self._process:
                self._process.wait(_CLOSE_PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill()
        self._said.close()

    def _kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
