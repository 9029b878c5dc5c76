"""What to do about a sandbox that this machine refuses: the exact command where there is one."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from grader.sandbox import facts

# The smallest values that free what a setting holds back.
_SETTINGS = {
    "kernel.unprivileged_userns_clone": (0, 1),
    "user.max_user_namespaces": (0, 15000),
    "user.max_pid_namespaces": (0, 15000),
    "user.max_net_namespaces": (0, 15000),
}
_APPARMOR = "kernel.apparmor_restrict_unprivileged_userns"

_CONTAINER_FLAGS = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined"


def remedy(step: str) -> str:
    """Return what to do where a step of setting up a sandbox was refused.

    Args:
        step: The step's name: one of the way in, of the lock-down, or a mechanism of `doctor`.
    """
    if step in ("landlock", "seccomp"):
        return _kernel_remedy(step)
    if step in ("packages", "plan", "zygote"):
        return "run `grader doctor`"
    return _namespace_remedy()


def _profile() -> str:
    """Return the command that gives the interpreter a profile of its own, which AppArmor then lets make namespaces."""
    profile = f"abi <abi/4.0>, profile rowwise {Path(sys.executable).resolve()} flags=(unconfined) {{ userns, }}"
    return f"echo '{profile}' | sudo tee /etc/apparmor.d/rowwise && sudo apparmor_parser -r /etc/apparmor.d/rowwise"


def _kernel_remedy(mechanism: str) -> str:
    if mechanism == "landlock" and facts.kernel_version() < (5, 13):
        return f"use a kernel of version 5.13 or later; this is {platform.release()}"
    if facts.container():
        return f"update the container engine, whose profile refuses {mechanism}, or start it with {_CONTAINER_FLAGS}"
    if mechanism == "landlock":
        return "add landlock to the kernel's list of security modules: boot with lsm=landlock,lockdown,yama,integrity,apparmor,bpf"
    return "use a kernel built with CONFIG_SECCOMP_FILTER"


def _namespace_remedy() -> str:
    for name, (blocking, free) in _SETTINGS.items():
        if facts.setting(name) == blocking:
            return f"sudo sysctl -w {name}={free}"
    if facts.container() == "kubernetes":
        return (
            "set hostUsers: false and seccompProfile.type: Unconfined on the pod, on a node that allows user namespaces"
        )
    if engine := facts.container():
        return f"start the container with `{engine} run {_CONTAINER_FLAGS} ...`"
    if facts.setting(_APPARMOR) == 1 and not facts.is_root():
        return f"sudo sysctl -w {_APPARMOR}=0, or for this interpreter alone: {_profile()}"
    if not facts.is_root():
        return "run as root, or ask the administrator to allow user namespaces"
    return "this system keeps root from making namespaces; run `grader doctor` on the host itself"
