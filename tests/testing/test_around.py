from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.testing import assert_close
from grader.testing.around import Differs, around


def lines(got, expected) -> list[str]:
    bad = got != expected
    return around(got, expected, bad, tuple(int(i) for i in np.argwhere(bad)[0]))


def test_what_differs_is_marked_in_both() -> None:
    assert lines(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 2.0], [3.0, 5.0]])) == [
        "entries [0:2, 0:2] of shape [2, 2]; ! marks what differs",
        "got",
        "           1           2",
        "           3           4!",
        "expected",
        "           1           2",
        "           3           5!",
    ]


@given(st.lists(st.integers(1, 9), max_size=4), st.data())
def test_any_shape_is_summarised_around_the_entry_and_shows_it(shape, data) -> None:
    expected = np.arange(np.prod(shape), dtype=float).reshape(shape)
    at = tuple(data.draw(st.integers(0, size - 1)) for size in shape)
    got = expected.copy()
    got[at] = 1e6
    told = lines(got, expected)
    assert len(told) <= 3 + 2 * 5
    assert sum("1e+06!" in line for line in told) == 1
    assert sum("!" in line for line in told[1:]) == 2


@pytest.mark.parametrize("dtype", [bool, np.int64, np.float32])
def test_a_comparison_that_fails_has_them(dtype) -> None:
    with pytest.raises(Differs) as failed:
        assert_close(np.zeros(3, dtype), np.ones(3, dtype))
    assert len(failed.value.detail()) == 5
