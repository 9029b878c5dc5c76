"""What a worker gives up between its fork and the first byte of a submission, in the order it has to happen.

What can be inherited is given up once, in the zygote. Each step raises where the kernel refuses it, and the worker then ends: nothing is run half locked. Which steps a level does without is the
judge's to say beforehand, and the canary's to find out.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from grader.worker import kernel, landlock, mounts, rlimits
from grader.worker.control import ITSELF

SOCKET = 3
FAILED = 97

_ITSELF = ITSELF.to_bytes(4, sys.byteorder)

# NOROOT, NO_SETUID_FIXUP, KEEP_CAPS and NO_CAP_AMBIENT_RAISE, all but KEEP_CAPS set, and each locked.
_SECURE_BITS = 0b11101111
_CAP_AMBIENT_CLEAR_ALL = 4


class Plan(NamedTuple):
    """What a worker is to be locked down to.

    Args:
        socket: The descriptor of its socket, which goes to `SOCKET`.
        output: The descriptor of its output, which goes to 1 and 2.
        report: The descriptor of the pipe that reports how the lock-down went, above `SOCKET`; it stays open.
        kept: Further descriptors that stay open.
        left_out: The steps that its level does without.
        allowance: How much it may use.
        threads: How many threads its user may have, where a count of the user's says something of the worker.
        size: How large the zygote is, on top of which memory is counted.
        rules: Landlock's rules as a descriptor, where there is Landlock.
        box_bytes: The size of its folder.
        box_inodes: How many files that folder may hold.
        user: The user and group to become; None to stay who it is.
        parent: The process id of the zygote, None where it is in a PID namespace of its own and cannot see it.
        program: The seccomp filter, compiled.
    """

    socket: int
    output: int
    report: int
    kept: Sequence[int]
    left_out: frozenset[str]
    allowance: rlimits.Allowance
    threads: int | None
    size: rlimits.Size
    rules: int | None
    box_bytes: int
    box_inodes: int
    user: int | None
    parent: int | None
    program: bytes


def _session(_: Plan) -> None:
    os.setsid()  # kill(0, ...) reaches a process group across PID namespaces: leave the zygote's


def _descriptors(plan: Plan) -> None:
    nothing = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((nothing, 0), (plan.output, 1), (plan.output, 2), (plan.socket, SOCKET)):
        os.dup2(source, target)
    kernel.close_all_but([*range(SOCKET + 1), plan.report, *plan.kept])


def _privileges(_: Plan) -> None:
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)


def _namespaces(_: Plan) -> None:
    kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWNET)


def _box(plan: Plan) -> None:
    mounts.work_folder(plan.box_bytes, plan.box_inodes, plan.user or 0)


def _rlimits(plan: Plan) -> None:
    threads = {} if plan.threads is None else {resource.RLIMIT_NPROC: plan.threads}
    rlimits.apply(
        rlimits.common(plan.allowance)
        | rlimits.memory(plan.allowance, plan.size)
        | threads
        | {
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_NICE: 0,
            resource.RLIMIT_RTPRIO: 0,
        }
    )


def _landlock(plan: Plan) -> None:
    if plan.rules is None:
        raise ValueError("there are no rules to enforce")
    landlock.enforce(plan.rules)


def _identity(plan: Plan) -> None:
    if plan.user is None:
        raise ValueError("there is no user to become")
    os.setresgid(plan.user, plan.user, plan.user)
    os.setresuid(plan.user, plan.user, plan.user)


def _capabilities(_: Plan) -> None:
    kernel.drop_capabilities()


def _parent(plan: Plan) -> None:
    # After the change of user, which clears it.
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if plan.parent is not None and os.getppid() != plan.parent:
        raise ChildProcessError("the zygote is gone")


def _dumpable(_: Plan) -> None:
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)


def _seccomp(plan: Plan) -> None:
    kernel.filter_calls(plan.program.replace(_ITSELF, os.getpid().to_bytes(4, sys.byteorder)))


STEPS: dict[str, Callable[[Plan], None]] = {
    "session": _session,
    "descriptors": _descriptors,
    "privileges": _privileges,
    "namespaces": _namespaces,
    "box": _box,
    "rlimits": _rlimits,
    "landlock": _landlock,
    "identity": _identity,
    "capabilities": _capabilities,
    "parent": _parent,
    "dumpable": _dumpable,
    "seccomp": _seccomp,
}


def _environment(environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def _bounding(_: dict[str, str]) -> None:
    kernel.prctl(kernel.PR_SET_SECUREBITS, _SECURE_BITS)
    kernel.prctl(kernel.PR_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        try:
            kernel.prctl(kernel.PR_CAPBSET_READ, capability)
        except OSError:  # one past the last this kernel knows
            break
        kernel.prctl(kernel.PR_CAPBSET_DROP, capability)


# Once, in the zygote: it needs none of this again, and its workers inherit it.
INHERITED: dict[str, Callable[[dict[str, str]], None]] = {"environment": _environment, "bounding": _bounding}


def prepare(left_out: Collection[str], environment: dict[str, str]) -> None:
    """Give up, in the zygote, what its workers are not to have and it needs no more.

    Args:
        left_out: The steps that the level does without.
        environment: All of the environment that workers see.

    Raises:
        LockdownError: A step was refused.
    """
    for name, step in INHERITED.items():
        if name not in left_out:
            _take(name, lambda step=step: step(environment))  # type: ignore[misc]  # a lambda's default has no type


def lock_down(plan: Plan) -> None:
    """Take every step that the level has.

    Raises:
        LockdownError: A step was refused; whoever catches it must end the process.
    """
    for name, step in STEPS.items():
        if name not in plan.left_out:
            _take(name, lambda step=step: step(plan))  # type: ignore[misc]  # as above


def _take(name: str, step: Callable[[], None]) -> None:
    try:
        step()
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
