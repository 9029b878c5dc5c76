"""Graders that are installed in an environment of their own, if at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.throughput.flavour import Flavour


class Elsewhere:
    """A grader that another interpreter can import."""

    name: str
    package: str
    cores = 1
    share = 0.05

    def __init__(self) -> None:
        self.python = Path(sys.executable)

    def lacking(self, flavour: Flavour) -> str | None:
        packages = ", ".join([self.package, "ipykernel", *flavour.packages])
        tried = subprocess.run([self.python, "-c", f"import {packages}"], check=False, capture_output=True, text=True)
        if not tried.returncode:
            return None
        return f"{(tried.stderr.strip().splitlines() or ['it cannot be imported'])[-1]} (in {self.python.name})"

    def environment(self) -> dict[str, str]:
        """Return the environment in which its own programs are found first."""
        return os.environ | {
            "PATH": f"{self.python.parent}{os.pathsep}{os.environ['PATH']}",
            "OMP_NUM_THREADS": "1",
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }
