"""Who is given the next submission, and what becomes of those who are gone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from grader.executors import nodes as module
from grader.executors.link import Worker
from grader.executors.nodes import AHEAD, Node, Nodes
from grader.judge.run import Stopped
from grader.model.errors import GraderError

A, B = Worker("tcp://a", "/a", threads=1, memory=2**30), Worker("tcp://b", "/b", threads=2)
NEVER = threading.Event()


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def nodes(said: list[str], monkeypatch: pytest.MonkeyPatch) -> Nodes:
    monkeypatch.setattr(module, "_LOOK_EVERY_SECONDS", 0.01)
    return Nodes(patience=0.2, say=said.append)


def with_both(nodes: Nodes) -> Nodes:
    for worker in (A, B):
        nodes.expect(worker.address)
        nodes.admit(worker)
    return nodes


def there(*workers: Worker) -> dict[str, Worker]:
    return {worker.address: worker for worker in workers}


def later(work: Callable[[], Node]) -> tuple[threading.Thread, list[Node]]:
    found: list[Node] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    return thread, found


def test_each_is_given_as_much_as_it_has_threads_and_no_more_than_waits_well(nodes: Nodes) -> None:
    with_both(nodes)
    given = [nodes.give(alone=False, stop=NEVER).worker for _ in range(3 * AHEAD)]
    assert (given.count(A), given.count(B)) == (AHEAD, 2 * AHEAD)
    assert nodes.threads == 3
    thread, found = later(lambda: nodes.give(alone=False, stop=NEVER))
    time.sleep(0.05)
    assert not found
    nodes.take_back(nodes._fit["tcp://a"], alone=False)
    thread.join(5)
    assert found[0].worker == A


def test_one_that_is_to_be_alone_waits_for_those_before_it_and_nobody_joins_it(nodes: Nodes) -> None:
    nodes.admit(A)
    first = nodes.give(alone=False, stop=NEVER)
    thread, found = later(lambda: nodes.give(alone=True, stop=NEVER))
    while not first.kept_free:
        time.sleep(0.005)
    other, late = later(lambda: nodes.give(alone=False, stop=NEVER))
    time.sleep(0.05)
    assert (found, late) == ([], [])
    nodes.take_back(first, alone=False)
    thread.join(5)
    time.sleep(0.05)
    assert ([each.busy for each in found], late) == ([1], [])
    nodes.take_back(found[0], alone=True)
    other.join(5)
    assert late[0].busy == 1


def test_one_that_is_to_be_alone_goes_elsewhere_where_its_node_is_lost(nodes: Nodes) -> None:
    with_both(nodes)
    for _ in range(3):
        nodes.give(alone=False, stop=NEVER)
    thread, found = later(lambda: nodes.give(alone=True, stop=NEVER))
    while not (kept := [node for node in nodes._fit.values() if node.kept_free]):
        time.sleep(0.005)
    left = B if kept[0].worker == A else A
    nodes.see(there(left))
    for _ in range(nodes._fit[left.address].busy):
        nodes.take_back(nodes._fit[left.address], alone=False)
    thread.join(5)
    assert found[0].worker == left


@pytest.mark.parametrize("after", [{}, there(A._replace(home="/anew"))], ids=["gone", "started-anew"])
def test_who_is_gone_or_was_started_anew_has_lost_what_it_had(nodes: Nodes, said: list[str], after) -> None:
    nodes.admit(A)
    node = nodes.give(alone=False, stop=NEVER)
    assert nodes.see(there(A)) == []
    assert nodes.see(after) == ["tcp://a"]
    assert "tcp://a was lost (its limit of memory: 1024 MiB)" in node.lost
    assert node.lost in said[0]
    assert nodes.addresses == []


def test_who_is_paused_is_given_nothing_and_is_given_up_where_that_lasts(nodes: Nodes) -> None:
    nodes.admit(A)
    node = nodes.give(alone=False, stop=NEVER)
    assert nodes.see(there(A._replace(paused=True))) == []
    assert not node.has_room
    assert nodes.see(there(A)) == []
    assert node.has_room
    nodes.see(there(A._replace(paused=True)))
    time.sleep(0.25)
    assert nodes.see(there(A._replace(paused=True))) == ["tcp://a"]
    assert "too little memory" in node.lost


def test_where_all_are_refused_the_reasons_are_told_at_once(nodes: Nodes, said: list[str]) -> None:
    for worker in (A, B):
        nodes.expect(worker.address)
        nodes.refuse(GraderError("its grader is 0.0.1", where=worker.address, hint="install another"))
    with pytest.raises(GraderError, match=r"tcp://a: its grader is 0\.0\.1; tcp://b: .*\nhint: install another"):
        nodes.await_first()
    assert said[0] == "a node is left out: tcp://a: its grader is 0.0.1; install another"


def test_one_that_is_fit_is_enough_once_all_were_looked_at(nodes: Nodes) -> None:
    for worker in (A, B):
        nodes.expect(worker.address)
    nodes.refuse(GraderError("no", where=A.address))
    thread = threading.Timer(0.05, nodes.admit, [B])
    thread.start()
    nodes.await_first()
    assert nodes.addresses == ["tcp://b"]


def test_a_cluster_without_workers_is_told_within_the_patience(nodes: Nodes) -> None:
    with pytest.raises(GraderError, match="has no worker") as told:
        nodes.await_first()
    assert "dask worker" in told.value.hint


def test_a_run_whose_last_node_is_gone_waits_for_another_and_then_ends(nodes: Nodes) -> None:
    nodes.admit(A)
    nodes.see({})
    threading.Timer(0.05, nodes.admit, [B]).start()
    assert nodes.give(alone=False, stop=NEVER).worker == B
    nodes.see({})
    with pytest.raises(GraderError, match=r"has no worker.*; before, the worker tcp://b was lost"):
        nodes.give(alone=False, stop=NEVER)


def test_whoever_waits_is_told_of_the_end(nodes: Nodes) -> None:
    nodes.admit(A)
    held = nodes.give(alone=True, stop=NEVER)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        nodes.give(alone=False, stop=stop)
    nodes.fail(GraderError("the cluster is gone"))
    with pytest.raises(GraderError, match="gone"):
        nodes.give(alone=False, stop=NEVER)
    assert held.busy == 1
