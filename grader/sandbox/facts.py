"""What this machine says of itself, as far as it decides which sandbox it can give."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

_SETTINGS = "/proc/sys/"


def setting(name: str) -> int | None:
    """Return a kernel setting by its dotted name, or None where there is none of that name."""
    try:
        return int(Path(_SETTINGS, *name.split(".")).read_text())
    except (OSError, ValueError):
        return None


def landlock_abi() -> int:
    """Return the version of Landlock's interface, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    from grader.worker import kernel  # noqa: PLC0415 - loads the C library in a way that only Linux has

    try:
        return kernel.landlock_version()
    except OSError:
        return 0


def has_seccomp() -> bool:
    """Whether filters over system calls can be had."""
    if sys.platform != "linux":
        return False
    from grader.worker import kernel  # noqa: PLC0415 - as above

    return kernel.can_filter_calls()


def kernel_version() -> tuple[int, int]:
    """Return the first two numbers of the kernel's release."""
    major, minor, *_ = (*platform.release().split("."), "0", "0")
    return int(major), int("".join(c for c in minor if c.isdigit()) or 0)


def container() -> str | None:
    """Return the kind of container this runs in, or None."""
    if Path("/.dockerenv").exists():
        return "docker"
    if Path("/run/.containerenv").exists():
        return "podman"
    if os.environ.get("KUBERNETES_SERVICE_HOST"):
        return "kubernetes"
    return None


def is_root() -> bool:
    """Whether this runs as root."""
    return sys.platform != "win32" and os.geteuid() == 0
