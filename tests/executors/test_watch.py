"""Who comes is made ready, once; who was started anew is so again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from grader.executors import watch as module
from grader.executors.link import Worker
from grader.executors.nodes import Nodes
from grader.executors.watch import Watch
from grader.model.errors import GraderError
from tests.executors.fake import A, B, FakeLink


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def prepared() -> list[Worker]:
    return []


@pytest.fixture
def nodes() -> Nodes:
    return Nodes(0.2, lambda _: None)


@pytest.fixture
def link() -> FakeLink:
    return FakeLink(A)


@pytest.fixture
def watch(link: FakeLink, nodes: Nodes, prepared: list[Worker], monkeypatch) -> Iterator[Watch]:
    monkeypatch.setattr(module, "_EVERY_SECONDS", 0.01)

    def prepare(worker: Worker) -> None:
        prepared.append(worker)
        if worker.home == "/odd":
            raise KeyError("home")
        if worker.home == "/bad":
            raise GraderError("unfit", where=worker.address)

    made = Watch(link, nodes, prepare)
    yield made
    made.close()


def test_who_is_there_and_who_comes_is_made_ready_once(watch, link, nodes, prepared) -> None:
    watch.start()
    nodes.await_first()
    link.there = [A, B, B._replace(address="tcp://127.0.0.1:3", paused=True)]
    until(lambda: len(nodes.addresses) == 2)
    time.sleep(0.05)
    assert prepared == [A, B]


def test_who_was_started_anew_is_made_ready_again_and_who_was_refused_is_not_asked_again(
    watch, link, nodes, prepared
) -> None:
    link.there = [A, B._replace(home="/bad")]
    watch.start()
    nodes.await_first()
    link.there = [A._replace(home="/anew"), B._replace(home="/bad")]
    until(lambda: len(prepared) == 3)
    until(lambda: nodes.addresses == [A.address])
    time.sleep(0.05)
    assert sorted(worker.home for worker in prepared) == ["/a", "/anew", "/bad"]


def test_who_was_given_up_is_made_ready_again_when_it_recovers(watch, link, nodes, prepared) -> None:
    watch.start()
    nodes.await_first()
    link.there = [A._replace(paused=True)]
    until(lambda: nodes.addresses == [])
    link.there = [A]
    until(lambda: nodes.addresses == [A.address])
    assert len(prepared) == 2


def test_whatever_goes_wrong_with_a_node_nobody_waits_for_it(watch, link, nodes) -> None:
    link.there = [A._replace(home="/odd")]
    watch.start()
    with pytest.raises(GraderError, match=f"{A.address}: KeyError"):
        nodes.await_first()


def test_whatever_goes_wrong_with_watching_ends_the_run(watch, link, nodes) -> None:
    watch.start()
    nodes.await_first()
    link.there = [None]
    until(lambda: nodes._fault is not None)
    with pytest.raises(GraderError, match="watched no more: AttributeError"):
        nodes.check()


def test_a_scheduler_that_is_gone_ends_the_run(watch, link, nodes) -> None:
    watch.start()
    nodes.await_first()
    link.gone = True
    until(lambda: nodes._fault is not None)
    with pytest.raises(GraderError, match="the cluster is gone: the scheduler was killed"):
        nodes.check()


def test_a_scheduler_that_is_gone_before_it_began_is_told_at_once(watch, link) -> None:
    link.gone = True
    with pytest.raises(GraderError, match="gone"):
        watch.start()
