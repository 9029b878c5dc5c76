"""What a keeper does before it forks: a program of ours is judged in a real sandbox, and nobody is left behind."""

from __future__ import annotations

import os
import threading

import pytest

from grader.judge.warm.rehearsal import rehearse
from grader.judge.warm.threads import refuse_threads
from grader.model.manifest import Limits
from grader.model.verdict import Status
from grader.sandbox.base import Level, Profile
from grader.sandbox.registry import best
from tests.faults.processes import children


@pytest.mark.parametrize("packages", [["numpy"], ["numpy", "torch"]], ids=str)
def test_all_of_its_tests_pass_and_its_worker_is_gone(packages):
    if "torch" in packages:
        pytest.importorskip("torch")
    limits = Limits()
    with best(Level.NONE).open(Profile(tuple(packages), limits)) as sandbox:
        before = {child.pid for child in children(os.getpid())}
        found = rehearse(sandbox, packages, limits)
        assert {child.pid for child in children(os.getpid())} <= before
    assert found.tests
    assert {test.status for test in found.tests} == {Status.PASSED}


def test_a_thread_that_goes_on_is_refused_and_one_that_ends_is_waited_for():
    over = threading.Event()
    threading.Timer(0.05, over.set).start()
    refuse_threads()
    assert over.is_set()
    goes_on = threading.Thread(target=over.wait, args=(30,))
    over.clear()
    goes_on.start()
    try:
        with pytest.raises(RuntimeError, match="1 threads are at work"):
            refuse_threads()
    finally:
        over.set()
        goes_on.join()
