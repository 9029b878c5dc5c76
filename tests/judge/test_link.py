"""What a worker's end means, and what becomes of requests that were made within one another."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from grader.judge.budget import CallBudget
from grader.judge.clock import OutOfTimeError
from grader.judge.link import KilledError, Link
from grader.model.manifest import Limits
from grader.model.verdict import Status
from grader.sandbox.base import Death, Output
from grader.testing.student import StudentError
from grader.wire.channel import Channel
from grader.wire.errors import WireError
from grader.wire.messages import Call, CallBack, Returned

LIMITS = Limits(cpu_seconds=2.0, memory_mb=256, processes=16, file_mb=4)
WHOLE_LIFE = 720


class Stand:
    """A worker that is a thread of this process, and dies as it is told to."""

    def __init__(self, behaviour: Callable[[Channel], object], death: Death | None, cpu: float) -> None:
        self.socket, self._theirs = socket.socketpair()
        self._death = death
        self._cpu = cpu
        self._thread = threading.Thread(target=self._run, args=(behaviour,))
        self._thread.start()

    def _run(self, behaviour: Callable[[Channel], object]) -> None:
        with self._theirs, suppress(WireError):
            behaviour(Channel(self._theirs))

    def cpu_seconds(self) -> float:
        return self._cpu

    def wait(self, timeout: float) -> Death | None:
        return self._death

    def kill(self) -> None:
        self.socket.close()
        self._thread.join(10)

    def output(self) -> Output:
        return Output(b"", truncated=False)


@pytest.fixture
def link() -> Iterator[Callable[..., Link]]:
    links: list[Link] = []

    def make(behaviour: Callable[[Channel], object], death: Death | None = None, cpu: float = 0.0) -> Link:
        links.append(Link(Stand(behaviour, death, cpu), LIMITS))
        return links[-1]

    yield make
    for each in links:
        each.close()


def ask(link: Link, *args: object, budget: CallBudget | None = None, target: str = "toy.f") -> object:
    return link.ask(Call(target, args), target.partition(".")[2], lambda: 0.0, budget or CallBudget())


def die(channel: Channel) -> None:
    channel.receive()


@pytest.mark.parametrize(
    ("death", "cpu", "status", "message"),
    [
        (Death("exited", 3, memory=False), 0.0, Status.CRASHED, "f ended its Python process with exit code 3"),
        (Death("signalled", 11, memory=False), 0.0, Status.CRASHED, "f: its process was ended by signal 11"),
        (Death("signalled", 9, memory=True), 0.0, Status.MEMORY, "MemoryError: f used more than 256 MiB of memory"),
        (
            Death("signalled", 9, memory=False, processes=True),
            0.0,
            Status.CRASHED,
            "f started more than 16 threads and processes",
        ),
        (
            Death("signalled", 25, memory=False),
            0.0,
            Status.CRASHED,
            "f: its process was ended for writing more than 4 MiB to a file",
        ),
        *(
            (
                Death("signalled", number, memory=False),
                WHOLE_LIFE - 0.01,
                Status.TIMEOUT,
                f"f used up the {WHOLE_LIFE} s of processor time that its process may use in its whole life",
            )
            for number in (9, 24)
        ),
        (None, 0.0, Status.CRASHED, "f: its process closed the connection to the grader"),
    ],
    ids=["exit", "segfault", "memory", "processes", "file-size", "whole-life-kill", "whole-life-xcpu", "closed"],
)
def test_an_end_has_its_status_and_names_its_limit(link, death, cpu, status, message):
    with pytest.raises(StudentError) as caught:
        ask(link(die, death, cpu))
    assert (caught.value.status, str(caught.value)) == (status, message)
    assert not isinstance(caught.value, KilledError)


def test_a_kill_by_nobody_we_know_may_be_the_machines_doing(link):
    with pytest.raises(KilledError):
        ask(link(die, Death("signalled", 9, memory=False), cpu=100.0))


def test_what_was_used_of_the_whole_life_is_told_apart_from_the_message(link):
    with pytest.raises(OutOfTimeError) as caught:
        ask(link(die, Death("signalled", 24, memory=False), cpu=719.5))
    assert (caught.value.used, caught.value.unspent) == ({"processor time": 719.5}, False)


def call_back_for_ever(channel: Channel) -> None:
    channel.receive()
    while True:
        channel.send(CallBack(0))
        channel.receive()


def test_calling_back_without_end_uses_up_the_budget_of_the_test(link):
    made = []
    budget = CallBudget(20)
    budget.spend("to f")
    with pytest.raises(StudentError, match=r"call 21 of this test, back from f: a test may make 20") as caught:
        ask(link(call_back_for_ever), lambda: made.append(1), budget=budget)
    assert caught.value.status is Status.TIMEOUT
    assert len(made) == 19


def test_calling_back_quickly_does_not_keep_the_clock_from_being_looked_at(link):
    limits = Limits(cpu_seconds=0.2, wall_seconds=0.5)
    behaving = link(call_back_for_ever)
    behaving._limits = limits
    with pytest.raises(OutOfTimeError, match=r"did not return within|used more than"):
        ask(behaving, lambda: None)


def test_a_fault_in_a_request_within_another_is_the_fault_of_both(link):
    def behaviour(channel: Channel) -> None:
        channel.receive()
        channel.send(CallBack(0))
        channel.receive()  # and dies in the inner request

    dying = link(behaviour, Death("exited", 7, memory=False))
    inner: list[StudentError] = []

    def again() -> None:
        try:
            ask(dying, target="toy.g")
        except StudentError as error:
            inner.append(error)
            dying.close()
            raise

    with pytest.raises(StudentError) as caught:
        ask(dying, again)
    assert caught.value is inner[0]
    assert str(caught.value) == "g ended its Python process with exit code 7"


def test_a_function_that_is_called_back_gives_its_value(link):
    def behaviour(channel: Channel) -> None:
        channel.receive()
        channel.send(CallBack(0, (4,)))
        channel.send(Returned(channel.receive().value + 1))

    assert ask(link(behaviour), lambda x: x * 10) == Returned(41)
