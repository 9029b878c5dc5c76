"""What a zygote does before it forks leaves nothing behind but what Python learned."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from grader.wire.messages import Imported, Loaded, Returned
from grader.worker.rehearsal import rehearse

LEFT = """
import builtins, gc, linecache, os, sys, threading
from grader.worker.rehearsal import rehearse
PACKAGES = {packages}
for package in PACKAGES:
    __import__(package)
rehearse(PACKAGES)  # what is imported on the way stays, as it does in a zygote

def seen():
    gc.collect()
    return (
        sorted(sys.modules), list(sys.meta_path), dict(vars(builtins)), sorted(linecache.cache), threading.active_count(),
        sorted(os.listdir("/proc/self/fd")) if sys.platform == "linux" else [], dict(os.environ), os.getcwd(),
    )

before = seen()
rehearse(PACKAGES)
for one, other in zip(before, seen()):
    assert one == other, (one, other)
"""


def test_every_request_is_answered():
    loaded, imported, *returned = rehearse(["numpy"])
    assert (type(loaded), type(imported)) == (Loaded, Imported)
    assert {type(answer) for answer in returned} == {Returned}
    np.testing.assert_array_equal(returned[0].value, np.full((2, 3), 4.0))


@pytest.mark.parametrize("packages", [["numpy"], ["numpy", "torch"]], ids=str)
def test_the_process_is_left_as_it_was_found(packages):
    if "torch" in packages:
        pytest.importorskip("torch")
    done = subprocess.run(
        [sys.executable, "-c", LEFT.format(packages=packages)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
