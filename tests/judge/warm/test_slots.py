"""Each thread that judges has a slot; where every processor has one, each slot keeps to its own."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.judge.warm import slots as module
from grader.judge.warm.slot import Slot
from grader.judge.warm.slots import Slots, processors_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="judges are warm where there is fork")


@pytest.mark.parametrize(
    ("there", "jobs", "kept_to"),
    [({0}, 1, []), ({0, 1}, 1, []), ({0, 1}, 2, [0, 1]), ({2, 5, 7}, 4, [2, 5, 7]), (set(range(8)), 7, [])],
)
def test_slots_keep_to_processors_where_each_of_those_has_one(monkeypatch, there, jobs, kept_to):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: there)
    assert processors_for(jobs) == kept_to


def test_threads_have_slots_of_their_own_on_one_processor_after_the_other(monkeypatch):
    made = []
    monkeypatch.setattr(module, "Slot", lambda processor: made.append(processor) or object())
    slots = Slots([4, 6])
    for _ in range(3):
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(slots._slot).result() is not None
    assert made == [4, 6, 4]


@pytest.mark.parametrize("processor", [max(os.sched_getaffinity(0)) if sys.platform == "linux" else 0, 100_000])
def test_a_server_keeps_to_the_processor_of_its_slot_if_there_is_one(processor):
    there = os.sched_getaffinity(0)
    with Slot(processor) as slot:
        slot._start()
        assert slot._server
        assert os.sched_getaffinity(slot._server.pid) == ({processor} if processor in there else there)
