from __future__ import annotations

import numpy as np
import pytest

from grader.wire.arrays import DTYPES, MAX_ARRAYS, MAX_AXES, allocate, describe, flat, ready
from grader.wire.errors import Unsendable, WireError

CAP = 2**20


@pytest.mark.parametrize("name", DTYPES)
def test_what_is_described_can_be_allocated(name):
    array = np.zeros((2, 0, 3), name), np.zeros((), name), np.zeros((3, 5), name)
    made = allocate(describe(array), sum(a.nbytes for a in array), CAP)
    assert [(a.dtype, a.shape) for a in made] == [(a.dtype, a.shape) for a in array]
    assert all(a.flags.owndata and a.flags.writeable and a.flags.c_contiguous for a in made)


@pytest.mark.parametrize(
    "dtype",
    [
        "O",
        "V8",
        "U4",
        "S4",
        "M8[s]",
        "m8[s]",
        "float128",
        "i8,f8",
        ">f8",
        "<f8",
        "f8",
        "object",
        "longdouble",
        "bfloat16",
        "",
        "float64 ",
        5,
        None,
        ["float64"],
        True,
    ],
)
def test_other_dtypes_are_refused(dtype):
    with pytest.raises(WireError, match="does not travel"):
        allocate([[dtype, [1]]], 8, CAP)


@pytest.mark.parametrize(
    "shape",
    [[-1], [2, -4], [1.0], ["1"], [None], [True], [[1]], 8, "8", None, {}, [1] * (MAX_AXES + 1)],
)
def test_shapes_that_are_none_are_refused(shape):
    with pytest.raises(WireError, match="shape"):
        allocate([["int8", shape]], 1, CAP)


@pytest.mark.parametrize(
    "shape",
    [
        [2**63 - 1],
        [2**32, 2**32],
        [2**21] * 3,
        [0, 2**28, 2**28, 2**28],
        [2**62, 0],
        [0] + [2**28] * 15,
        [2**62] * 31 + [0],
    ],
)
def test_neither_overflow_nor_an_empty_axis_hides_a_huge_one(shape):
    for payload in (0, 8, CAP):
        with pytest.raises(WireError, match="larger than"):
            allocate([["float64", shape]], payload, CAP)


@pytest.mark.parametrize("payload", [0, 1, 23, 25, 2**40])
def test_arrays_must_fill_the_payload_exactly(payload):
    with pytest.raises(WireError, match="add up"):
        allocate([["float64", [3]]], payload, CAP)


@pytest.mark.parametrize("listing", [None, 5, "x", {}, {"0": ["int8", [0]]}, [["int8", [0]]] * (MAX_ARRAYS + 1)])
def test_the_listing_must_be_a_list_of_bounded_length(listing):
    with pytest.raises(WireError, match="arrays must be"):
        allocate(listing, 0, CAP)


@pytest.mark.parametrize("entry", [None, [], ["int8"], ["int8", [0], 1], "ab", {"int8": [0]}])
def test_an_entry_must_be_dtype_and_shape(entry):
    with pytest.raises(WireError, match=r"\[dtype, shape\]|does not travel"):
        allocate([entry], 0, CAP)


def test_nothing_is_allocated_for_a_listing_that_lies(monkeypatch):
    made = []
    monkeypatch.setattr("grader.wire.arrays.empty", lambda *a: made.append(a))
    with pytest.raises(WireError):
        allocate([["float64", [1000]], ["float64", [-1]]], 8000, CAP)
    assert made == []


def test_a_strided_view_is_not_copied_where_it_would_be_too_large():
    view = np.broadcast_to(np.float64(0), (10**5, 10**5))
    with pytest.raises(Unsendable, match=r"76294 MiB of arrays \(the limit is 1 MiB\)"):
        ready(view, CAP)


def test_a_boolean_array_holds_only_zeros_and_ones_when_it_leaves():
    odd = np.array([0, 1, 2, 255], np.uint8).view(bool)
    assert ready(odd, CAP).view(np.uint8).tolist() == [0, 1, 1, 1]
    scalar = ready(np.array(7, np.uint8).view(bool), CAP)
    assert isinstance(scalar, np.ndarray)
    assert scalar.view(np.uint8) == 1


@pytest.mark.parametrize("kind", ["longlong", "ulonglong", "long", "intc", ">f8", ">i2", ">c16"])
def test_platform_names_and_byte_orders_become_native(kind):
    array = np.array([1, 2, 3], kind)
    carried = ready(array, CAP)
    assert carried.dtype is DTYPES[carried.dtype.name]
    assert carried.tolist() == array.tolist()


def test_more_axes_than_a_header_may_have_are_refused():
    with pytest.raises(Unsendable, match="40 axes"):
        ready(np.zeros((1,) * 40), CAP)


@pytest.mark.parametrize("array", [np.array([None]), np.array(["a"]), np.zeros(2, "M8[s]"), np.zeros(2, "i8,f8")])
def test_an_array_of_another_dtype_is_named(array):
    with pytest.raises(Unsendable, match=f"dtype {array.dtype.name.split('[')[0]}"):
        ready(array, CAP)


def test_a_subclass_is_reduced_to_the_array_it_holds():
    class Liar(np.ndarray):
        def __array_finalize__(self, other):
            pass

        def __eq__(self, other):
            return True

        __hash__ = None

    assert type(ready(np.zeros(3).view(Liar), CAP)) is np.ndarray
    assert type(ready(np.ma.masked_array([1.0], [True]), CAP)) is np.ndarray


@pytest.mark.parametrize("name", DTYPES)
def test_the_bytes_of_any_array_can_be_viewed(name):
    for shape in ((), (3,), (2, 3)):
        array = np.zeros(shape, name)
        assert flat(array).nbytes == array.nbytes
