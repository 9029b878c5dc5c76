from types import SimpleNamespace

import pytest

from grader.judge import clock as clocks
from grader.judge.clock import Clock, OutOfTimeError
from grader.model.manifest import Limits
from grader.model.verdict import Status

LIMITS = Limits(cpu_seconds=2.0, wall_seconds=10.0, reference_multiple=100.0)


class Time:
    """A worker and a wall clock that move when they are told to."""

    def __init__(self) -> None:
        self.cpu = 7.0  # from earlier calls
        self.wall = 1000.0
        self.own = 50.0  # of the judge itself

    def cpu_seconds(self) -> float:
        return self.cpu

    def monotonic(self) -> float:
        return self.wall

    def thread_time(self) -> float:
        return self.own


@pytest.fixture
def time(monkeypatch) -> Time:
    time = Time()
    monkeypatch.setattr(clocks, "time", SimpleNamespace(monotonic=time.monotonic, thread_time=time.thread_time))
    return time


@pytest.fixture
def started(time):
    """Start a clock for a call that takes the reference so many seconds; every question for it is noted."""

    def start(reference: float = 0.0, limits: Limits = LIMITS):
        asked = []

        def reference_seconds() -> float:
            asked.append(reference)
            return reference

        return Clock(time, limits, reference_seconds, "softmax"), asked

    return start


def test_a_call_within_its_limits_is_let_be_and_the_reference_is_not_asked(time, started):
    clock, asked = started()
    time.cpu += 2.0
    time.wall += 10.0
    clock.tick()
    assert asked == []


def test_processor_time_decides(time, started):
    clock, _ = started()
    time.cpu += 2.01
    with pytest.raises(OutOfTimeError, match="softmax used more than 2 s of processor time") as caught:
        clock.tick()
    assert (caught.value.status, caught.value.unspent) == (Status.TIMEOUT, False)
    assert caught.value.used == {"processor time": pytest.approx(2.01), "wall time": 0.0}
    assert "2.01" not in str(caught.value), "a message is the same in every run"


def test_time_that_earlier_calls_used_does_not_count(time, started):
    time.cpu += 100
    clock, _ = started()
    time.cpu += 1
    clock.tick()


def test_a_call_that_takes_the_reference_long_is_given_a_multiple_of_that(time, started):
    clock, asked = started(reference=0.05)
    for spent in (2.5, 4.9):
        time.cpu = 7.0 + spent
        clock.tick()
    time.cpu = 7.0 + 5.01
    with pytest.raises(OutOfTimeError, match="more than 5 s"):
        clock.tick()
    assert asked == [0.05]


def test_a_quick_reference_gives_no_less_than_the_limit(time, started):
    clock, asked = started(reference=0.001)
    time.cpu += 2.01
    with pytest.raises(OutOfTimeError, match="more than 2 s"):
        clock.tick()
    assert asked == [0.001]


@pytest.mark.parametrize(("spent", "unspent"), [(0.0, True), (0.9, True), (1.1, False), (2.0, False)])
def test_a_wall_overrun_says_whether_the_machine_may_be_to_blame(time, started, spent, unspent):
    clock, _ = started()
    time.cpu += spent
    time.wall += 10.01
    with pytest.raises(OutOfTimeError, match="softmax did not return within 10 s") as caught:
        clock.tick()
    assert caught.value.unspent is unspent


def test_who_may_compute_longer_may_also_take_longer(time, started):
    clock, _ = started(reference=0.5)
    time.cpu += 10
    clock.tick()
    time.wall += 99
    clock.tick()
    time.wall += 2
    with pytest.raises(OutOfTimeError, match="did not return within 100 s"):
        clock.tick()


def test_the_judges_own_time_in_functions_that_are_called_back_counts(time, started):
    clock, _ = started()
    time.own += 100  # before any call back: the judge's affair
    for _ in range(3):
        with clock.answering():
            time.own += 0.6
        time.own += 100
    time.cpu += 0.1
    clock.tick()
    with pytest.raises(OutOfTimeError, match="more than 2 s of processor time"), clock.answering():
        time.own += 0.2


def test_a_tick_within_a_function_that_is_called_back_counts_its_time_so_far(time, started):
    clock, _ = started()
    with clock.answering():
        time.own += 1.9
        clock.tick()
        time.own += 0.2
        with pytest.raises(OutOfTimeError):
            clock.tick()
        time.own -= 1


def test_the_reference_is_neither_charged_nor_interrupted_when_it_is_asked_meanwhile(time):
    def reference_seconds() -> float:
        time.own += 50
        time.wall += 500
        clock.tick()
        time.wall -= 500
        return 0.05

    clock = Clock(time, LIMITS, reference_seconds, "softmax")
    with clock.answering():
        time.own += 2.5
        clock.tick()
    time.own += 2.4
    clock.tick()


def test_a_function_that_is_called_back_and_does_not_end_is_interrupted():
    clock = Clock(SimpleNamespace(cpu_seconds=lambda: 0.0), Limits(cpu_seconds=0.2), lambda: 0.0, "softmax")
    with pytest.raises(OutOfTimeError, match=r"more than 0\.2 s of processor time"), clock.answering():
        for _ in iter(int, 1):
            pass
