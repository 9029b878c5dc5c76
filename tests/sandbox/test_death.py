from __future__ import annotations

import signal
import sys

import pytest

from grader.model.manifest import Limits
from grader.sandbox.base import Death
from grader.sandbox.death import death

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no wait statuses")

LIMITS = Limits(memory_mb=100)
FULL, SMALL = 95 << 20, 50 << 20


def test_an_exit_is_no_death_by_memory_however_much_was_used() -> None:
    assert death(3 << 8, FULL, LIMITS, killed=False) == Death("exited", 3, memory=False)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT])
def test_a_signal_with_memory_at_the_limit_is_one_by_memory(number: int) -> None:
    assert death(number, FULL, LIMITS, killed=False) == Death("signalled", number, memory=True)
    assert death(number, SMALL, LIMITS, killed=False) == Death("signalled", number, memory=False)


def test_a_core_dump_changes_nothing() -> None:
    assert death(signal.SIGABRT | 0x80, SMALL, LIMITS, killed=False) == Death("signalled", signal.SIGABRT, memory=False)


def test_a_signal_that_memory_does_not_send_is_not_one_by_memory() -> None:
    assert not death(signal.SIGFPE, FULL, LIMITS, killed=False).memory


def test_our_own_kill_is_not_one_by_memory() -> None:
    assert not death(signal.SIGKILL, FULL, LIMITS, killed=True).memory


def test_a_real_time_signal_has_a_number_and_no_name() -> None:
    assert death(40, FULL, LIMITS, killed=False) == Death("signalled", 40, memory=False)
