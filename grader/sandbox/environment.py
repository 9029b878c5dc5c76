"""Environment variables that make a run repeatable, whatever machine it is on."""

from __future__ import annotations

import os

# One thread each: a grader runs as many workers as there are cores, and sums are not to depend on how many those are.
_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}

# A fixed hash seed: the order of a set of strings is not to differ from run to run. And figures that are drawn without a screen.
REPEATABLE = _ONE_THREAD | {"PYTHONHASHSEED": "0", "MPLBACKEND": "Agg"}

# Where a worker may write, at the level that gives it a file system of its own.
_HOME = "/home/student"

# All that a worker in a sandbox of its own sees; nothing of this machine's environment gets there.
INSIDE = REPEATABLE | {"LANG": "C.UTF-8", "PYTHONUTF8": "1", "HOME": _HOME, "TMPDIR": _HOME, "USER": "student"}

# Some interpreters, such as those that GitHub's runners set up, find their own library through it and do not start without.
_LIBRARIES = "LD_LIBRARY_PATH"


def one_thread_each() -> None:
    """Let each library that this process has yet to load compute in one thread."""
    os.environ.update(_ONE_THREAD)


def for_zygote() -> dict[str, str]:
    """Return the environment that a zygote starts with; its workers get `INSIDE`."""
    return INSIDE | {name: value for name, value in os.environ.items() if name == _LIBRARIES}
