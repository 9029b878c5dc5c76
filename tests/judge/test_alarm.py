import signal
import sys
import threading
import time
from contextlib import suppress

import pytest

from grader.judge.alarm import looking

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has no timers")


class LateError(Exception):
    pass


@pytest.fixture(autouse=True)
def nothing_is_left():
    before = signal.getsignal(signal.SIGALRM)
    yield
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def late() -> None:
    raise LateError


def test_a_body_that_does_not_end_is_ended_by_the_look():
    with pytest.raises(LateError), looking(late):
        spin(60)


def test_it_looks_again_and_again_until_the_body_ends():
    looks = []
    with looking(lambda: looks.append(1)):
        spin(0.5)
    seen = len(looks)
    assert seen >= 2
    spin(0.3)
    assert len(looks) == seen


def test_it_raises_once_though_the_body_swallows_it():
    raised = []

    def look() -> None:
        raised.append(1)
        raise LateError

    with looking(look):
        with suppress(LateError):
            spin(10)
        spin(0.4)
    assert raised == [1]


def test_what_the_body_raises_goes_through():
    with pytest.raises(KeyError), looking(lambda: None):
        raise KeyError


def test_within_a_watched_body_another_may_be_watched():
    outer = []

    def inner() -> None:
        with pytest.raises(LateError), looking(late):
            spin(10)

    with looking(lambda: outer.append(1)):
        inner()
        spin(0.3)
    assert outer


def test_in_another_thread_the_body_runs_unwatched():
    done = []

    def body() -> None:
        with looking(late):
            done.append(1)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert done == [1]
