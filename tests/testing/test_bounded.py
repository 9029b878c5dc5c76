"""No value of a submission grows in the judge: what is no number is not converted, and what is large is refused."""

import tracemalloc

import numpy as np
import pytest

from grader.testing import as_array, assert_close, assert_equal, assert_finite, assert_row_stochastic
from grader.testing.bounded import MOST_ENTRIES, first_true, numbers

MIB = 1 << 20
GROWING = ["a" * 20_000] + [""] * 1000  # 80 MB as an array of text
VALUES = {
    "text": "a",
    "a list with text": GROWING,
    "a list with text, deep": [[1.0], [GROWING]],
    "bytes": b"a",
    "None": None,
    "a list with None": [1.0, None],
    "a dict": {"a": 1.0},
    "too many bits": [2**1000],
    "objects": np.array([None]),
    "text in an array": np.array(["a"]),
}


@pytest.mark.parametrize("expected", VALUES.values(), ids=VALUES)
def test_only_numbers_are_compared_with(expected):
    tracemalloc.start()
    try:
        with pytest.raises(TypeError, match="the result is compared with"):
            assert_close(np.ones(1001), expected)
        assert tracemalloc.get_traced_memory()[1] < 4 * MIB
    finally:
        tracemalloc.stop()


def test_numbers_are_taken_from_whatever_holds_them():
    for value in (
        2.0,
        np.float32(2),
        [1, 2.5],
        ((True,), (False,)),
        [np.ones(2), np.zeros(2)],
        1j,
        [],
        np.ones((0, 3)),
    ):
        np.testing.assert_array_equal(numbers(value, "it"), np.asarray(value))


@pytest.mark.parametrize("shape", [(MOST_ENTRIES + 1,), (MOST_ENTRIES + 1, 0), (0, 1 << 12, 1 << 12)])
def test_more_entries_than_a_test_looks_at_are_refused(shape):
    large = np.zeros(shape, dtype=np.uint8)
    for check in (as_array, assert_finite, assert_row_stochastic):
        with pytest.raises(AssertionError, match="more than the 4194304 entries that a test looks at"):
            check(large)
    for expected in (large, [large], [[1.0], large]):
        with pytest.raises(TypeError, match="more than the 4194304 entries"):
            assert_close(np.ones(3), expected)


def test_as_many_as_are_looked_at_are_not():
    large = np.zeros(MOST_ENTRIES, dtype=np.uint8)
    assert as_array(large) is large
    assert_close(large, large)


def test_the_first_entry_is_found_without_a_list_of_all():
    many = np.ones((1,) * 30 + (1000, 1000), dtype=bool)
    many[..., 0, 0] = False
    tracemalloc.start()
    try:
        assert first_true(many) == (0,) * 31 + (1,)
        assert tracemalloc.get_traced_memory()[1] < MIB
    finally:
        tracemalloc.stop()
    assert first_true(np.array(True)) == ()


def test_plain_values_are_compared_part_by_part():
    column, row = np.zeros((40_000, 1)), np.zeros((1, 40_000))  # 1.6 GB as they are compared with one another
    for got, expected in (([column], [row]), ({"a": column}, {"a": row}), ([1.0], [row])):
        with pytest.raises(TypeError, match="there is an array in it"):
            assert_equal(got, expected)
    tracemalloc.start()
    try:
        with pytest.raises(AssertionError):
            assert_equal([GROWING], [np.float64(1)])
        assert tracemalloc.get_traced_memory()[1] < 4 * MIB
    finally:
        tracemalloc.stop()
    assert_equal([1, (2.0, "a")], [1.0, (2, "a")])
    assert_equal({"a": [1], "b": None}, {"b": None, "a": [1]})
