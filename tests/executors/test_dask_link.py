"""What Dask does and raises, in words of our own; Dask itself is met in test_conformance and test_poison."""

from __future__ import annotations

import sys
from concurrent.futures import CancelledError
from types import SimpleNamespace

import pytest

from grader.executors.dask_link import DaskLink, connected
from grader.executors.link import CallError, LinkError, LostError, Worker
from grader.model.errors import UsageError


class KilledWorker(Exception):  # noqa: N818  # the name is Dask's
    """As Dask's own."""


class Future:
    def __init__(self, ends: object) -> None:
        self.ends = ends
        self.cancelled = self.released = False

    def add_done_callback(self, callback) -> None:
        callback(self)

    def result(self, timeout: float) -> object:
        if isinstance(self.ends, Exception):
            raise self.ends
        return self.ends

    def release(self) -> None:
        self.released = True

    def cancel(self) -> None:
        self.cancelled = True
        raise RuntimeError("the client is closed")


class Client:
    status = "running"
    scheduler = SimpleNamespace(identity=None)

    def __init__(self, answer: object = None) -> None:
        self.answer = answer
        self.asked: dict[str, object] = {}

    def _answer(self) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def sync(self, *_: object, **asked: object) -> object:
        self.asked = asked
        return self._answer()

    def run(self, *_: object, **asked: object) -> object:
        self.asked = asked
        return self._answer()

    def submit(self, *_: object, **asked: object) -> Future:
        self.asked = asked
        return Future(self._answer())

    def close(self, timeout: float) -> None:
        raise TimeoutError


def link(client: Client) -> DaskLink:
    return DaskLink(SimpleNamespace(KilledWorker=KilledWorker), client)


def test_a_task_is_for_one_worker_and_dask_does_not_try_it_again() -> None:
    client = Client("found")
    task = link(client).submit("tcp://a", str, "job")
    assert (client.asked["workers"], client.asked["retries"], client.asked["pure"]) == (["tcp://a"], 0, False)
    assert str(client.asked["key"]).startswith("rowwise-"), "no name of a student stands in Dask's pages"
    assert task.wait(1)
    assert task.result() == "found"
    task.cancel()


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (KilledWorker("died 4 times"), "were lost: died 4 times"),
        (CancelledError("lost"), "CancelledError"),
        (TimeoutError("late"), "TimeoutError"),
        (OSError("comm"), "OSError"),
        (ModuleNotFoundError("no grader"), "no grader"),
        (KeyError("of whatever class"), "KeyError"),
    ],
)
def test_a_task_of_which_nothing_came_is_lost(raised: Exception, words: str) -> None:
    client = Client()
    task = link(client).submit("tcp://a", str, "job")
    task._future.ends = raised
    with pytest.raises(LostError, match=words):
        task.result()
    assert task._future.released


def test_a_cluster_that_takes_nothing_is_told() -> None:
    with pytest.raises(LostError, match="closed"):
        link(Client(RuntimeError("closed"))).submit("tcp://a", str)


def test_workers_are_those_that_the_scheduler_knows_now() -> None:
    each = {"local_directory": "/x", "nthreads": 2, "memory_limit": None, "status": "running"}
    client = Client({"workers": {"tcp://a": each, "tcp://b": each | {"status": "paused", "memory_limit": 7}}})
    assert link(client).workers() == [Worker("tcp://a", "/x", 2), Worker("tcp://b", "/x", 2, 7, paused=True)]
    assert client.asked["n_workers"] == -1


@pytest.mark.parametrize("fault", [OSError("closed"), TimeoutError("late"), None])
def test_a_scheduler_that_is_gone_is_told(fault: Exception | None) -> None:
    client = Client(fault)
    client.status = "running" if fault else "connecting"
    with pytest.raises(LinkError):
        link(client).workers()


@pytest.mark.parametrize("answer", [{"tcp://a": OSError("comm")}, ValueError("no worker tcp://a"), TimeoutError()])
def test_a_call_that_is_not_answered_is_told(answer: object) -> None:
    with pytest.raises(CallError):
        link(Client(answer)).call("tcp://a", str)


def test_a_call_is_for_one_worker_and_closing_never_fails() -> None:
    client = Client({"tcp://a": "seen"})
    assert link(client).call("tcp://a", str) == "seen"
    assert client.asked["workers"] == ["tcp://a"]
    link(client).tell(["tcp://a", "tcp://b"], str)
    assert client.asked["workers"] == ["tcp://a", "tcp://b"]
    link(Client(OSError("gone"))).tell(["tcp://a"], str)
    link(client).close()


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="Dask is not installed") as told:
        connected("tcp://127.0.0.1:1")
    assert "rowwise[cluster]" in told.value.hint
