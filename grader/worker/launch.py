"""The way into the sandbox: from a process outside, with nothing but the standard library, to a zygote inside.

Where namespaces are refused there is no inside: the zygote then stays where it is. The judge starts `main` in an interpreter of its own with an environment of the judge's making. What it imports here is loaded from outside; once
inside, everything of ours is loaded again from what is mounted there.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

from grader.worker import kernel, mounts, rlimits
from grader.worker.control import Control
from grader.worker.shown import Shown

CONTROL = 3
FAILED = 97

_SPACES = (
    kernel.CLONE_NEWUSER
    | kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
)


def main(descriptor: int) -> NoReturn:
    """Go in, step by step; where one is refused, tell the judge which, and end.

    Args:
        descriptor: The control socket, over which the plan comes.
    """
    rlimits.lift()
    os.dup2(descriptor, CONTROL)
    if descriptor != CONTROL:
        os.close(descriptor)
    control = Control(socket.socket(fileno=CONTROL))
    way = _Way(control)
    try:
        way.go()
    except Exception as error:  # noqa: BLE001 - whatever it was, the judge has to hear of it
        # By attribute, not by class: the module was loaded again, and with it the class.
        step, reason = getattr(error, "step", way.step), getattr(error, "reason", f"{type(error).__name__}: {error}")
        control.send({"failed": step, "error": reason})
    os._exit(FAILED)


class _Way:
    """The steps, and which of them is being taken."""

    def __init__(self, control: Control) -> None:
        self.step = "plan"
        self._control = control

    def go(self) -> None:
        plan = self._received()
        if plan["namespaces"]:
            self._go_in(plan)
        else:
            self._stay(plan)

    def _go_in(self, plan: dict[str, Any]) -> None:
        # Whoever may copy mounts looks the sources up with all rights; others can copy mounts only in a namespace of their own.
        self.step = "views"
        trees = _copied_early(plan["views"]) if plan["views_first"] else []
        self.step = "namespaces"
        kernel.unshare(_SPACES)
        self.step = "views"
        trees = trees or mounts.copy_views(plan["views"])
        self.step = "identity"
        self._take_identity(plan)
        self.step = "judge"
        _die_with(plan["judge"])
        self.step = "zygote"
        _stay_outside()
        self.step = "root"
        own = _own_files()
        mounts.move_in(plan["views"], trees, plan["covers"])
        self.step = "packages"
        _serve_from_inside(self._control, plan, own)

    def _stay(self, plan: dict[str, Any]) -> None:
        """Serve from where we are: what workers may reach is then for Landlock, seccomp and their user to say."""
        self.step = "judge"
        _die_with(plan["judge"])
        self.step = "identity"
        if plan["users"]:
            os.setgroups([])
        self.step = "packages"
        _serve_from_here(self._control, plan, _own_files())

    def _received(self) -> dict[str, Any]:
        packet = self._control.receive()
        if packet is None:
            os._exit(FAILED)
        return packet.message

    def _take_identity(self, plan: dict[str, Any]) -> None:
        if plan["mapped_by_judge"]:
            self._control.send({"unshared": True})
            self._received()
            if Path("/proc/self/setgroups").read_text().strip() == "allow":
                os.setgroups([])
        else:
            _map_to_itself(plan["user"], plan["group"])
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)


def _copied_early(views: list[dict[str, Any]]) -> list[int]:
    try:
        return mounts.copy_views(views)
    except PermissionError:  # root of a user namespace that shares the mounts of another
        return []


def probe() -> None:
    """Try the way in as far as it goes without a judge, and print which step was refused, if one was."""
    user, group = os.geteuid(), os.getegid()
    step = "namespaces"
    try:
        kernel.unshare(_SPACES)
        kernel.mount("", "/", kernel.MS_REC | kernel.MS_PRIVATE)
        if user:
            step = "identity"
            _map_to_itself(user, group)
            step = "root"
            kernel.mount("tmpfs", "/proc", kernel.MS_NOSUID, "size=4k")
    except OSError as error:
        print(json.dumps({"failed": step, "error": str(error)}))  # noqa: T201 - read by the judge
    else:
        print("{}")  # noqa: T201 - likewise


def _map_to_itself(user: int, group: int) -> None:
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1")


def _die_with(judge: int | None) -> None:
    # The signal follows the thread that started us; where that is not the judge's main thread, the closed control socket alone has to do.
    if judge is not None:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != judge:
            os._exit(FAILED)


def _stay_outside() -> None:
    """Fork; the child goes on, the first process of the new namespace, and the parent waits for it and ends with it."""
    child = os.fork()
    if child:
        os.close(CONTROL)
        os.waitpid(child, 0)
        os._exit(0)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _own_files() -> tuple[int, int]:
    """Open what tells of this process's own size and memory, while there is a /proc."""
    status, maps = (os.open(f"/proc/self/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in ("status", "maps"))
    return status, maps


def _serve_from_here(control: Control, plan: dict[str, Any], own: tuple[int, int]) -> None:
    sys.dont_write_bytecode = True
    sys.meta_path.append(Shown(plan["packages_at"]))
    serve = importlib.import_module("grader.worker.zygote").serve
    importlib.import_module("grader.worker.main")
    # From here on nothing that lies beside the worker is found, nor any package but those of the plan.
    sys.path.remove(plan["root"])
    sys.modules["grader"].__path__ = []
    serve(control.connection, plan, *own)


def _serve_from_inside(control: Control, plan: dict[str, Any], own: tuple[int, int]) -> None:
    sys.path[:] = [*(folder for folder in sys.path if folder != plan["root"]), mounts.PACKAGES]
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.partition(".")[0] == "grader"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    sys.path_importer_cache.clear()
    importlib.import_module("grader.worker.zygote").serve(control.connection, plan, *own)
