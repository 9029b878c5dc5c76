"""The whole of level `full`, once more, as a user without any right."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from grader.sandbox.full import FullBackend

_HERE = Path(__file__).parent

pytestmark = [
    pytest.mark.skipif(FullBackend().unavailable() is not None, reason=str(FullBackend().unavailable())),
    pytest.mark.skipif(os.geteuid() != 0, reason="every other test of this folder already runs as an ordinary user"),
]


@pytest.mark.parametrize("name", ["test_conformance.py", "test_full.py", "test_lockdown.py"])
def test_an_ordinary_user_has_the_same_sandbox(name: str) -> None:
    # Not below pytest's own folder, which every session of root closes to others again.
    with tempfile.TemporaryDirectory(prefix="rowwise-user-") as folder:
        Path(folder).chmod(0o755)
        _run_again(name, folder)


def _run_again(name: str, folder: str) -> None:
    command = [sys.executable, str(_HERE / "as_ordinary_user.py"), folder]
    places = [str(Path(np.__file__).parents[1]), str(_HERE.parents[1])]
    options = [
        "-q",
        "-k",
        "not none",
        "-o",
        "addopts=",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--import-mode=importlib",
    ]
    done = subprocess.run(
        [*command, *places, *options, f"tests/sandbox/{name}"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "test_ordinary" not in done.stdout
