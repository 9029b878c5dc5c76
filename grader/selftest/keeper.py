"""Runs commands, and says what they left behind: a process of its own, started by path, which needs the standard library alone.

A line on standard input is a task as JSON, `{"argv", "env", "cwd", "said", "seconds"}`; a line on standard output answers it.
Orphans of a command become children of this process. Attackers are told its id: should one kill it, nothing else dies.
"""

from __future__ import annotations

import ctypes
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

_SET_CHILD_SUBREAPER = 36
# What was killed from outside may take a moment to be gone.
_GRACE = 3.0
_LOOK_EVERY_SECONDS = 0.5


def main() -> None:
    """Serve until standard input ends, as it does when who started this is killed; then end what is left."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    print(os.getpid(), flush=True)  # noqa: T201 - the protocol
    tasks: queue.SimpleQueue[str] = queue.SimpleQueue()
    ended = threading.Event()
    threading.Thread(target=_listen, args=(tasks, ended), daemon=True).start()
    try:
        while line := tasks.get():
            print(json.dumps(_run(json.loads(line), ended)), flush=True)  # noqa: T201 - the protocol
    finally:
        for pid in children():
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _listen(tasks: queue.SimpleQueue[str], ended: threading.Event) -> None:
    for line in sys.stdin:
        tasks.put(line)
    ended.set()
    tasks.put("")


def _run(task: dict[str, Any], ended: threading.Event) -> dict[str, object]:
    with Path(task["said"]).open("wb") as said:
        process = subprocess.Popen(
            task["argv"],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            env=task["env"],
            cwd=task["cwd"],
        )
        code = _code(process, time.monotonic() + task["seconds"], ended)
    return {"code": code, "left": _left()}


def _code(process: subprocess.Popen[bytes], deadline: float, ended: threading.Event) -> int | None:
    """The exit code; None where its time is over or nobody waits for it any more, and it is killed."""
    while time.monotonic() < deadline and not ended.is_set():
        try:
            return process.wait(_LOOK_EVERY_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    # Asked first, for it clears away what it started.
    process.terminate()
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return None


def _left() -> list[str]:
    """What still runs after a moment's grace, as command lines."""
    deadline = time.monotonic() + _GRACE
    while (pids := children()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [_command_line(pid) for pid in pids]


def children() -> list[int]:
    """Return the living children of this process, on Linux; the dead are waited for."""
    if sys.platform != "linux":
        return []
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if int(parent) == os.getpid() and not (state == "Z" and _buried(int(entry.name))):
                found.append(int(entry.name))
    return found


def _buried(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def _command_line(pid: int) -> str:
    try:
        said = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        said = ""
    return f"{pid} {said}".strip()


if __name__ == "__main__":
    main()
