from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.wire.errors import WireError
from grader.wire.header import MAX_DEPTH, MAX_NODES, MAX_TEXT, dump, parse

trees = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(trees)
def test_a_tree_comes_back_as_it_was(tree):
    again = parse(dump(tree))
    assert again == tree
    assert repr(again) == repr(tree)  # True is no 1, 1.0 no 1, -0.0 no 0.0


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"1 2", "not JSON"),
        (b"'a'", "not JSON"),
        (b'"\xff"', "not JSON"),
        ('{"a": 1}'.encode("utf-16"), "not JSON"),
        (b"\xef\xbb\xbf1", "not JSON"),
        (b"NaN", "NaN is no JSON"),
        (b"[Infinity]", "Infinity is no JSON"),
        (b"[-Infinity]", "-Infinity is no JSON"),
        (b"1e999", "range of a float"),
        (b"-1e999", "range of a float"),
        (b"9223372036854775808", "64 bits"),
        (b"-9223372036854775809", "64 bits"),
        (b"1" * 200_000, "64 bits"),
        (b"-" + b"9" * 4301, "64 bits"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b"[" * 200_000, "deep"),
        (b'{"a":' * 40_000, "deep"),
        (b"[" * 500 + b"]" * 500, "deep"),
        (b"[" + b"1," * MAX_NODES + b"1]", "values"),
        (b'"' + b"a" * (MAX_TEXT + 1) + b'"', "characters"),
    ],
)
def test_what_a_header_may_not_be(header, why):
    with pytest.raises(WireError, match=why):
        parse(header)


def test_depth_is_measured_to_the_level():
    parse(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    parse(b"[" * (MAX_DEPTH - 1) + b"1" + b"]" * (MAX_DEPTH - 1))
    with pytest.raises(WireError, match="deep"):
        parse(b"[" * MAX_DEPTH + b"1" + b"]" * MAX_DEPTH)
    with pytest.raises(WireError, match="deep"):
        parse(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))


def test_a_string_of_the_longest_length_is_fine():
    assert len(parse(b'"' + b"a" * MAX_TEXT + b'"')) == MAX_TEXT


@pytest.mark.parametrize("filler", [b"[],", b"{},", b"0,", b'"",', b"1e9,", b'{"a":1},', b"[[[]]],"])
def test_the_largest_header_takes_bounded_time_and_memory(filler):
    header = b"[" + filler * (256 * 1024 // len(filler) - 1) + b"0]"
    tracemalloc.start()
    started = time.process_time()
    try:
        parse(header)
    except WireError:
        pass
    finally:
        taken, peak = time.process_time() - started, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert taken < 5
    assert peak < 64 * 2**20


def test_a_number_that_is_not_finite_is_not_written():
    with pytest.raises(ValueError, match="Out of range"):
        dump(float("nan"))
