"""What a canary's answers, and what the judge saw itself, say about a sandbox."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket as sockets
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from grader.model.manifest import Limits
from grader.sandbox.allowance import allowance
from grader.sandbox.base import GUARANTEES, Death, Worker
from grader.sandbox.environment import INSIDE

# Which guarantee each probe bears on. A probe that is not here, or not answered, counts as one that succeeded.
_ABOUT = {
    "planted file": "filesystem",
    "root folder": "filesystem",
    "writing": "filesystem",
    "work folder": "filesystem",
    "descriptors": "filesystem",
    "environment": "filesystem",
    "internet": "network",
    "local socket": "network",
    "proc": "processes",
    "other processes": "processes",
    "session": "processes",
    "fork": "processes",
    "execute": "processes",
    "memory": "memory",
    "cpu": "cpu",
    "filter": "syscalls",
    "limits": "syscalls",
    "identity": "identity",
    "capabilities": "identity",
    "bounding": "identity",
    "privileges": "identity",
    "dumpable": "identity",
}

_PATIENCE = 10.0
_PROMPT = 1.0
_LONGEST_ANSWER = 1 << 16


class Observation(NamedTuple):
    """Which guarantees hold, and in words what does not, each beginning with the guarantee's name."""

    guarantees: dict[str, bool]
    findings: tuple[str, ...]

    def about(self, guarantees: Collection[str]) -> list[str]:
        """Return the findings about some guarantees."""
        return [finding for finding in self.findings if finding.partition(":")[0] in guarantees]


class Canary(Worker, Protocol):
    """A worker that can be asked who it is."""

    def shares_user(self) -> bool:
        """Whether it is the judge's own user, among processes that it can name."""
        ...


def observed(fork: Callable[[dict[str, Any]], Canary], limits: Limits) -> Observation:
    """Let a canary try everything.

    Args:
        fork: Starts a canary with its task.
        limits: What it may use.

    Raises:
        GraderError: It could not be started or not be locked down.
    """
    with _planted() as secret, sockets.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        task = {
            "planted": str(secret),
            "judge": os.getpid(),
            "port": listener.getsockname()[1],
            "memory": allowance(limits).memory,
            "environment": sorted(INSIDE),
        }
        worker = fork(task)
        try:
            answers = _answers(worker)
            spent = worker.cpu_seconds()
            shared = worker.shares_user()
        finally:
            worker.kill()
        ours = [
            ("filesystem", _left_behind(secret)),
            ("network", _connected(listener)),
            ("cpu", "" if spent > 0 else "its CPU time cannot be read from outside"),
            ("identity", "it is the same user as the grader" if shared else ""),
            ("time", _outlived(worker.wait(_PROMPT))),
        ]
    return _concluded([*ours, *((about, answers.get(name, f"{name}: no answer")) for name, about in _ABOUT.items())])


def _concluded(findings: list[tuple[str, str]]) -> Observation:
    broken = {about for about, finding in findings if finding}
    return Observation(
        {name: name not in broken for name in GUARANTEES},
        tuple(f"{about}: {finding}" for about, finding in findings if finding),
    )


@contextlib.contextmanager
def _planted() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rowwise-") as folder:
        secret = Path(folder, "secret")
        secret.write_text(secrets.token_hex())
        # Open to everyone: that it is out of reach is then not the doing of its mode.
        Path(folder).chmod(0o777)
        secret.chmod(0o666)
        yield secret


def _answers(worker: Worker) -> dict[str, str]:
    worker.socket.settimeout(_PATIENCE)
    data = b""
    with contextlib.suppress(OSError):
        while len(data) < _LONGEST_ANSWER and (chunk := worker.socket.recv(_LONGEST_ANSWER)):
            data += chunk
    try:
        answers = json.loads(data)
    except ValueError:
        return {}
    return answers if isinstance(answers, dict) else {}


def _left_behind(secret: Path) -> str:
    others = sorted(path.name for path in secret.parent.iterdir() if path != secret)
    return f"files were made outside: {others}" if others else ""


def _connected(listener: sockets.socket) -> str:
    try:
        listener.accept()[0].close()
    except OSError:
        return ""
    return "the judge's own port was reached"


def _outlived(death: Death | None) -> str:
    return "" if death else f"it lived on for {_PROMPT:.0f} s after it was killed"
