"""What a worker gives up between its fork and the first byte of a submission, in the order it has to happen.

Each step raises where the kernel refuses it, and the worker then ends: nothing is run half locked.
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from typing import NamedTuple

from grader.worker import kernel, landlock, mounts, rlimits

SOCKET = 3
FAILED = 97

# NOROOT, NO_SETUID_FIXUP, KEEP_CAPS and NO_CAP_AMBIENT_RAISE, all but KEEP_CAPS set, and each locked.
_SECURE_BITS = 0b11101111
_CAP_AMBIENT_CLEAR_ALL = 4

# The kernel counts the threads of a user: of the workers that live at the time, of the zygote, and of the process that waits for it.
_NOT_ITS_OWN = 2


class Plan(NamedTuple):
    """What a worker is to be locked down to.

    Args:
        socket: The descriptor of its socket, which goes to `SOCKET`.
        output: The descriptor of its output, which goes to 1 and 2.
        report: The descriptor of the pipe that reports how the lock-down went, above `SOCKET`; it stays open.
        allowance: How much it may use.
        siblings: How many other workers live.
        size: How large the zygote is, on top of which memory is counted.
        readable: The paths it may read, each with Landlock's access.
        box_bytes: The size of its folder.
        box_inodes: How many files that folder may hold.
        environment: The environment it sees.
        program: The seccomp filter, compiled.
    """

    socket: int
    output: int
    report: int
    allowance: rlimits.Allowance
    siblings: int
    size: rlimits.Size
    readable: list[tuple[str, int]]
    box_bytes: int
    box_inodes: int
    environment: dict[str, str]
    program: bytes


def _session(_: Plan) -> None:
    os.setsid()  # kill(0, ...) reaches a process group across PID namespaces: leave the zygote's


def _descriptors(plan: Plan) -> None:
    nothing = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((nothing, 0), (plan.output, 1), (plan.output, 2), (plan.socket, SOCKET)):
        os.dup2(source, target)
    kernel.close_between(SOCKET + 1, plan.report - 1)
    kernel.close_between(plan.report + 1, kernel.LAST_DESCRIPTOR)


def _parent(_: Plan) -> None:
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _privileges(_: Plan) -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)


def _namespaces(_: Plan) -> None:
    kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWNET)


def _box(plan: Plan) -> None:
    mounts.work_folder(plan.box_bytes, plan.box_inodes)


def _environment(plan: Plan) -> None:
    os.environ.clear()
    os.environ.update(plan.environment)


def _rlimits(plan: Plan) -> None:
    rlimits.apply(
        rlimits.common(plan.allowance)
        | rlimits.memory(plan.allowance, plan.size)
        | {
            resource.RLIMIT_NPROC: plan.allowance.processes * (1 + plan.siblings) + _NOT_ITS_OWN,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_NICE: 0,
            resource.RLIMIT_RTPRIO: 0,
        }
    )


def _capabilities(_: Plan) -> None:
    kernel.prctl(kernel.PR_SET_SECUREBITS, _SECURE_BITS)
    kernel.prctl(kernel.PR_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        try:
            kernel.prctl(kernel.PR_CAPBSET_READ, capability)
        except OSError:  # one past the last this kernel knows
            break
        kernel.prctl(kernel.PR_CAPBSET_DROP, capability)
    kernel.drop_capabilities()


def _landlock(plan: Plan) -> None:
    landlock.confine([*plan.readable, (mounts.BOX, landlock.WORK)])


def _dumpable(_: Plan) -> None:
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def _seccomp(plan: Plan) -> None:
    kernel.filter_calls(plan.program)


STEPS: dict[str, Callable[[Plan], None]] = {
    "session": _session,
    "descriptors": _descriptors,
    "parent": _parent,
    "privileges": _privileges,
    "namespaces": _namespaces,
    "box": _box,
    "environment": _environment,
    "rlimits": _rlimits,
    "capabilities": _capabilities,
    "landlock": _landlock,
    "dumpable": _dumpable,
    "seccomp": _seccomp,
}


def lock_down(plan: Plan) -> None:
    """Take every step.

    Raises:
        LockdownError: A step was refused; whoever catches it must end the process.
    """
    for name, step in STEPS.items():
        try:
            step(plan)
        except Exception as error:
            raise LockdownError(name, error) from error


class LockdownError(Exception):
    """A step of the lock-down was refused.

    Args:
        step: Its name.
        cause: What was raised.
    """

    def __init__(self, step: str, cause: Exception) -> None:
        super().__init__(f"{step}: {cause}")
        self.step = step
        self.number = cause.errno if isinstance(cause, OSError) else None
        self.reason = f"{type(cause).__name__}: {cause}"
