"""The zygote: lives in the sandbox with the packages imported, and forks a locked-down worker whenever the judge asks.

It reads no byte of a submission. It ends when the judge's end of the control socket closes, and as the first process of its PID namespace takes
every worker with it.
"""

from __future__ import annotations

import base64
import gc
import importlib
import json
import os
import select
import socket
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from grader.worker import canary, guard, held, kernel, landlock, lockdown, mounts, pages, rlimits
from grader.worker.control import Control, Packet

# The kernel counts the threads of a user: of the workers that live at the time, of the zygote, and of the process that waits for it.
_NOT_A_WORKERS = 2

# Forks before memory is put into huge pages, which takes as long as many forks: a canary, and the worker of the first submission, perhaps the only one.
_FEW = 2

# What the packages may write while they are imported.
_SCRATCH_BYTES = 1 << 20
_SCRATCH_INODES = 256


def serve(connection: socket.socket, plan: dict[str, Any], status: int, maps: int) -> NoReturn:
    """Import the packages, say that the sandbox stands, and fork on request until the judge is gone.

    Args:
        connection: The control socket.
        plan: What to import and what workers are held to.
        status: The zygote's own /proc/self/status, opened before there was no /proc.
        maps: Its /proc/self/maps, likewise.
    """
    # A worker inherits this memory: what tells of the machine outside is not to be found there.
    del plan["root"], sys.argv[1:]
    for view in plan["views"]:
        del view["source"]
    _import(plan)
    lockdown.prepare(plan["left_out"], plan["environment"])
    names = held.hold(plan["held"])
    held.rename(names)
    gc.collect()
    gc.freeze()  # what is shared with the workers is never written to by their collector
    fields, memory = _everything(status), pages.spans(_everything(maps))
    os.close(status)
    os.close(maps)
    _refuse_threads(fields)
    zygote = _Zygote(Control(connection), plan, rlimits.own_size(fields), held.descriptors(names), memory)
    zygote.control.send({"ready": True})
    zygote.run()


def _import(plan: dict[str, Any]) -> None:
    """Import the packages, and what they would else import at a submission's expense, one thread each; and rehearse."""
    with _scratch() if plan["namespaces"] else _passing_home():
        for name in ("grader.worker.main", *plan["packages"], *plan["preloaded"]):
            importlib.import_module(name)
    if "torch" in plan["packages"]:
        torch = sys.modules["torch"]
        # A fork after torch has started threads of its own leaves a child that hangs in the first parallel operation.
        torch.set_num_threads(1)
        torch.set_num_interop_threads(1)
    guard.survey(plan["packages"])
    importlib.import_module("grader.worker.rehearsal").rehearse(plan["packages"])


@contextmanager
def _scratch() -> Iterator[None]:
    """Give the packages a folder to write to while they are imported; some want one."""
    mounts.work_folder(_SCRATCH_BYTES, _SCRATCH_INODES, user=0)
    yield
    os.chdir("/")
    kernel.unmount(mounts.BOX)


@contextmanager
def _passing_home() -> Iterator[None]:
    """Give them one of this machine's, which goes again with all that was written."""
    with tempfile.TemporaryDirectory(prefix="rowwise-") as folder:
        os.environ["HOME"] = folder
        yield


def _refuse_threads(status: bytes) -> None:
    count = next(int(line.split()[1]) for line in status.splitlines() if line.startswith(b"Threads:"))
    if count != 1:
        # A fork copies the calling thread alone: locks that others hold would never be let go.
        raise RuntimeError(f"importing the packages started {count - 1} threads, so that a fork is not safe")


class _Zygote:
    """The loop over requests of the judge and deaths of workers.

    Args:
        control: The control socket.
        plan: What workers are held to.
        size: How large this process is.
        kept: The descriptors that workers keep.
        memory: Where it has memory that a worker's fork copies the table of.
    """

    def __init__(
        self,
        control: Control,
        plan: dict[str, Any],
        size: rlimits.Size,
        kept: Sequence[int],
        memory: Sequence[pages.Span],
    ) -> None:
        self.control = control
        self._memory = memory
        self._forks = 0
        self._size = size
        self._plan = plan
        self._kept = kept
        self._program = base64.b64decode(plan["program"])
        self._pid = os.getpid()
        self._myself = os.pidfd_open(self._pid)
        self._rules = None if "landlock" in plan["left_out"] else landlock.ruleset(_allowed(plan))
        self._workers: dict[int, tuple[int, int]] = {}  # by pidfd: the judge's number for it, and its pid
        self._poll = select.poll()
        self._poll.register(lockdown.SOCKET, select.POLLIN)

    def run(self) -> NoReturn:
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor != lockdown.SOCKET:
                    self._reap(descriptor)
                    continue
                packet = self.control.receive()
                if packet is None:
                    os._exit(0)
                self._fork(packet)

    def _reap(self, descriptor: int) -> None:
        number, pid = self._workers.pop(descriptor)
        self._poll.unregister(descriptor)
        os.close(descriptor)
        _, status, usage = os.wait4(pid, 0)
        spent = usage.ru_utime + usage.ru_stime
        self.control.send({"ended": number, "status": status, "cpu": spent, "peak": usage.ru_maxrss * 1024})

    def _fork(self, packet: Packet) -> None:
        """Start a worker and wait until it is locked down, or has told why not."""
        number = packet.message["fork"]
        if self._forks == _FEW:
            pages.gather(self._memory)
        self._forks += 1
        reading, writing = os.pipe()
        try:
            pid = self._fork_worker(packet, writing)
        except OSError as error:
            os.close(writing)
            reason = f"{type(error).__name__}: {error}"
            self.control.send({"refused": number, "step": "fork", "errno": error.errno, "error": reason})
        else:
            os.close(writing)
            self._announce(number, pid, json.loads(_everything(reading) or b"{}"))
        for descriptor in (reading, *packet.descriptors):
            os.close(descriptor)

    def _fork_worker(self, packet: Packet, report: int) -> int:
        if not self._plan["namespaces"]:
            return self._forked(packet, report)
        kernel.unshare(kernel.CLONE_NEWPID)
        try:
            return self._forked(packet, report)
        finally:
            kernel.setns(self._myself, kernel.CLONE_NEWPID)

    def _forked(self, packet: Packet, report: int) -> int:
        pid = os.fork()
        if not pid:
            try:
                self._become_worker(packet, report)
            finally:
                os._exit(lockdown.FAILED)
        return pid

    def _announce(self, number: int, pid: int, report: dict[str, Any]) -> None:
        pidfd = os.pidfd_open(pid)
        if report.get("locked"):
            self._workers[pidfd] = (number, pid)
            self._poll.register(pidfd, select.POLLIN)
            self.control.send({"forked": number}, [pidfd])
            return
        os.close(pidfd)
        _, status = os.waitpid(pid, 0)
        silent = {"step": "lock-down", "errno": None, "error": f"it ended without a word, status {status}"}
        self.control.send({"refused": number, **silent, **report})

    def _become_worker(self, packet: Packet, report: int) -> NoReturn:
        try:
            self.control.connection.detach()
            lockdown.lock_down(self._lockdown_plan(packet, report))
            os.write(report, b'{"locked": true}')
            os.close(report)
        except lockdown.LockdownError as error:
            os.write(report, json.dumps({"step": error.step, "errno": error.number, "error": error.reason}).encode())
            os._exit(lockdown.FAILED)
        task = packet.message.get("canary")
        _work(task and task | {"kept": self._kept, "left_out": self._plan["left_out"]})

    def _lockdown_plan(self, packet: Packet, report: int) -> lockdown.Plan:
        plan = self._plan
        theirs, output = packet.descriptors
        held_to = packet.message["held_to"]
        allowance = rlimits.Allowance(*held_to["allowance"])
        user = self._user(packet.message["fork"])
        return lockdown.Plan(
            socket=theirs,
            output=output,
            report=report,
            kept=[*self._kept, *([] if self._rules is None else [self._rules])],
            left_out=frozenset(plan["left_out"]),
            allowance=allowance,
            threads=self._threads(allowance, user),
            size=self._size,
            rules=self._rules,
            box_bytes=held_to["box_bytes"],
            box_inodes=plan["box_inodes"],
            user=user,
            parent=None if plan["namespaces"] else self._pid,
            program=self._program,
        )

    def _user(self, number: int) -> int | None:
        """Return the user that a worker becomes: another one than those before it, as far as they last."""
        users = self._plan["users"]
        return users["first"] + number % users["count"] if users else None

    def _threads(self, allowance: rlimits.Allowance, user: int | None) -> int | None:
        """Return how many threads the user may have, who is the worker's own or has a count of his own in our namespace."""
        if user is not None:
            return allowance.processes
        if self._plan["namespaces"]:
            return allowance.processes * (1 + len(self._workers)) + _NOT_A_WORKERS
        return None


def _allowed(plan: dict[str, Any]) -> list[tuple[str, int]]:
    """Return the paths a worker may use, each with Landlock's access; in a room of its own, the folder of packages as one."""
    if not plan["namespaces"]:
        kinds = {"trees": landlock.READ, "listed": landlock.LIST, "devices": landlock.DEVICE}
        return [(path, access) for kind, access in kinds.items() for path in plan[kind]]
    outside = [view for view in plan["views"] if not view["target"].startswith(f"{mounts.PACKAGES}/")]
    views = [(view["target"], landlock.DEVICE if view["device"] else landlock.READ) for view in outside]
    return [*views, (mounts.PACKAGES, landlock.READ), (mounts.HOME, landlock.WORK)]


def _everything(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, 1 << 12):
        parts.append(part)
    return b"".join(parts)


def _work(task: dict[str, Any] | None) -> NoReturn:
    connection = socket.socket(fileno=lockdown.SOCKET)
    code = 0
    try:
        if task is None:
            # The zygote's streams took their descriptors for files that can seek; now they are pipes.
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # a descriptor, for good
            sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # likewise
            importlib.import_module("grader.worker.main").serve(connection)
        else:
            canary.serve(connection, task)
    except BaseException:  # noqa: BLE001 - a worker never returns into the zygote's loop
        traceback.print_exc()
        code = 1
    finally:
        sys.stdout.flush()
        os._exit(code)
