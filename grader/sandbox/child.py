"""The script a worker of level `none` starts from: limits first, then the worker's loop.

Run by path, with one JSON argument. Its first byte on the socket says that it stands; a failure before that byte is the grader's own.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import signal
import site
import socket
import sys
from pathlib import Path
from typing import Any


def main(task: dict[str, Any]) -> None:
    """Import what a submission may need, take on the limits, say so, and serve."""
    connection = _connection(task["descriptor"])
    _show_only_our_package(Path(task["package"]))
    _lift()
    serve = importlib.import_module("grader.worker.main").serve
    for package in task["packages"]:
        importlib.import_module(package)
    for module in task["later"]:
        with contextlib.suppress(ImportError):  # another version of the package may do without
            importlib.import_module(module)
    _multiply()
    _limit(task["allowance"])
    _die_with(task["judge"])
    connection.sendall(b"\x06")
    serve(connection)


def _show_only_our_package(package: Path) -> None:
    """Make `grader` importable from its folder, and nothing that lies beside it, such as the solutions."""
    spec = importlib.util.spec_from_file_location(
        "grader", package / "__init__.py", submodule_search_locations=[str(package)]
    )
    assert spec  # noqa: S101 - there always is one for a file whose name ends in .py
    sys.modules["grader"] = importlib.util.module_from_spec(spec)
    beside = str(package.parent)
    if beside not in site.getsitepackages():
        sys.path[:] = [folder for folder in sys.path if folder != beside]


def _multiply() -> None:
    """Make a first product: what BLAS then takes for good, 32 MiB of buffer, is no memory of the submission's."""
    numpy = importlib.import_module("numpy")
    square = numpy.ones((128, 128))
    numpy.matmul(square, square)


def _die_with(judge: int | None) -> None:
    """Have the kernel end this process with the judge that started it, where the kernel can."""
    if sys.platform == "linux" and judge is not None:
        kernel = importlib.import_module("grader.worker.kernel")
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != judge:
            os._exit(1)


if sys.platform == "win32":

    def _connection(descriptor: int) -> socket.socket:  # noqa: ARG001 - Windows hands a socket over by its protocol's description
        return socket.fromshare(sys.stdin.buffer.read())

    def _lift() -> None:
        """Do nothing: there is no limit to take back."""

    def _limit(allowance: list[int]) -> None:
        """Windows holds limits on jobs, not on processes: there is none to take on."""

else:

    def _connection(descriptor: int) -> socket.socket:
        return socket.socket(fileno=descriptor)

    def _lift() -> None:
        importlib.import_module("grader.worker.rlimits").lift()

    def _limit(allowance: list[int]) -> None:
        rlimits = importlib.import_module("grader.worker.rlimits")
        allowed = rlimits.Allowance(*allowance)
        limits = rlimits.common(allowed)
        if sys.platform == "linux":  # elsewhere the kernel does not hold a limit of address space
            limits |= rlimits.memory(allowed, rlimits.own_size(Path("/proc/self/status").read_bytes()))
        rlimits.apply(limits)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
