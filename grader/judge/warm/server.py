"""The server: it has the packages and the zygotes, and forks a keeper for each assignment that is asked for."""

from __future__ import annotations

import importlib
import os
import signal
import socket
from typing import NoReturn

from grader.course.assignment import load_assignment
from grader.judge.warm.keeper import become, keep
from grader.judge.warm.post import receive_with, send
from grader.judge.warm.threads import refuse_threads
from grader.judge.warm.words import Had, Wanted
from grader.model.errors import CourseError, GraderError
from grader.model.manifest import Manifest
from grader.sandbox.base import Level, Profile
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.registry import BACKENDS


def serve(control: socket.socket) -> NoReturn:
    """Fork keepers until the grader is gone."""
    server = _Server(control)
    while True:
        message, descriptors = receive_with(control)
        if message is None:
            os._exit(0)
        server.answer(Wanted.model_validate_json(message), socket.socket(fileno=descriptors[0]))


class _Server:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._sandboxes: dict[tuple[Level, tuple[str, ...]], ForkingSandbox] = {}
        self._turns = 0

    def answer(self, wanted: Wanted, connection: socket.socket) -> None:
        with connection:
            try:
                had = Had(pid=self._forked(wanted, connection))
            except GraderError as error:
                had = Had(problem=str(error), course_fault=isinstance(error, CourseError))
            except (OSError, MemoryError, RuntimeError) as error:
                had = Had(problem=f"no judge could be had: {type(error).__name__}: {error}")
        send(self._control, had.model_dump_json().encode())

    def _forked(self, wanted: Wanted, connection: socket.socket) -> int:
        assignment = load_assignment(wanted.assignment)
        sandbox = self._sandbox(wanted.backend, assignment.manifest)
        _import_once(assignment.manifest)
        refuse_threads()
        self._turns += 1
        parent = os.getpid()
        pid = os.fork()
        if not pid:
            try:
                self._control.close()
                os.setpgid(0, 0)
                become("judge-keeper", parent)
                keep(connection, assignment, wanted.suites, sandbox, self._turns)
            finally:
                os._exit(1)
        return pid

    def _sandbox(self, level: Level, manifest: Manifest) -> ForkingSandbox:
        packages = tuple(sorted(manifest.allowed_imports))
        if (level, packages) not in self._sandboxes:
            opened = BACKENDS[level].open(Profile(packages, manifest.limits))
            if not isinstance(opened, ForkingSandbox):
                raise GraderError(f"no warm judge can be had at level {level}")
            self._sandboxes[level, packages] = opened
        return self._sandboxes[level, packages]


def _import_once(manifest: Manifest) -> None:
    """Import what the suites need before any keeper is forked: torch is imported once for all of them."""
    if "torch" in manifest.allowed_imports:
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)


def main(descriptor: int) -> NoReturn:
    """Serve a grader at the other end of a socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C is the grader's to handle
    serve(socket.socket(fileno=descriptor))
