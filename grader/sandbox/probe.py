"""Whether this machine can have level `full`, found out quickly and without a sandbox."""

from __future__ import annotations

import functools
import json
import platform
import subprocess
import sys
from pathlib import Path

from grader.sandbox import facts
from grader.sandbox.bpf import ARCHITECTURES
from grader.sandbox.environment import for_zygote
from grader.sandbox.remedies import remedy

_BOOT = "import sys; sys.path.append(sys.argv[1]); from grader.worker.launch import probe; probe()"
_ROOT = Path(__file__).parents[2]


def refusal() -> str | None:
    """Return why this machine cannot have level `full`, with the remedy; None where it can, as far as a quick look shows."""
    if reason := unfit():
        return reason
    told = namespaces()
    return f"{told['error']}: {remedy(told['failed'])}" if told else None


def unfit() -> str | None:
    """Return what of system, processor and kernel rules levels `full` and `container` out, without trying anything that costs time."""
    if reason := foreign():
        return reason
    if not facts.landlock_abi():
        return f"the kernel has no Landlock: {remedy('landlock')}"
    if not facts.has_seccomp():
        return f"there are no seccomp filters: {remedy('seccomp')}"
    return None


def foreign() -> str | None:
    """Return what of system and processor rules out every level but `none`."""
    if sys.platform != "linux":
        return f"{platform.system()} has no namespaces, Landlock or seccomp; on Windows use WSL 2, elsewhere a Linux machine"
    if platform.machine() not in ARCHITECTURES:
        return f"there is no list of system calls for {platform.machine()}; known are {', '.join(ARCHITECTURES)}"
    return None


@functools.cache
def namespaces() -> dict[str, str]:
    """Try to make the namespaces of a sandbox, in a process of its own; return which step was refused, and how, or nothing."""
    done = subprocess.run(
        [sys.executable, "-P", "-s", "-S", "-c", _BOOT, str(_ROOT)],
        cwd="/",
        env=for_zygote(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
    )
    if done.returncode or not done.stdout:
        last = done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"]
        return {"failed": "start", "error": f"an interpreter of its own did not start: {last[-1]}"}
    return {str(key): str(value) for key, value in json.loads(done.stdout).items()}
