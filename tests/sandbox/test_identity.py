from __future__ import annotations

import os
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.sandbox.identity import BLOCK, rights, unused_ids

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no user ids")

ALL = "         0          0 4294967295\n"


@given(st.integers(1, 1 << 22), st.integers(1, 1 << 22))
def test_on_a_whole_machine_the_id_is_far_from_any_user_and_another_for_each_sandbox(one: int, other: int) -> None:
    assume(one != other)
    first, second = unused_ids(one, ALL), unused_ids(other, ALL)
    assert first is not None
    assert first > 1_000_000_000
    assert first != second


@given(st.integers(1, 1 << 22), st.integers(0, 1 << 30), st.integers(20_000, 1 << 20))
def test_in_a_container_the_id_is_one_that_exists_there_and_not_a_low_one(process: int, first: int, count: int) -> None:
    found = unused_ids(process, f"{first} 100000 {count}\n")
    assert found is not None
    assert first + 10_000 < found < first + count


@given(st.integers(1, 1 << 22), st.integers(1, 10_000))
def test_where_there_are_few_ids_none_is_taken(process: int, count: int) -> None:
    assert unused_ids(process, f"0 1000 {count}\n") is None


def test_the_largest_range_is_taken() -> None:
    assert unused_ids(7, "0 1000 1\n1 100000 65536\n") == 1 + 65536 - 10 - BLOCK - 7 * BLOCK


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")
def test_an_ordinary_user_has_no_rights() -> None:
    if os.geteuid():
        assert rights() == (False, False)
    else:
        assert rights().maps
