from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.wire import digits
from grader.wire.errors import WireError


@given(st.integers(-(2**1024) + 1, 2**1024 - 1))
def test_an_integer_comes_back(number):
    assert digits.read(digits.write(number), 1024) == number


@pytest.mark.parametrize(
    "text", ["", "0x", "0xg", "12", "0X1", " 0x1", "0x1\n", "0x_1", "--0x1", None, 1, ["0x1"], "0x1" + "0" * 10**6]
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(WireError, match="integer"):
        digits.read(text, 128)


def test_a_number_of_one_bit_too_many_is_refused():
    assert digits.read(hex(2**128 - 1), 128) == 2**128 - 1
    with pytest.raises(WireError):
        digits.read(hex(2**128), 128)
