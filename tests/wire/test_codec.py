"""What is encoded, written, read and decoded is what it was."""

from __future__ import annotations

import collections
import enum
import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings

from grader.wire.arrays import DTYPES
from grader.wire.codec import decode, encode
from grader.wire.errors import Unsendable, WireError
from grader.wire.frames import Caps, write
from grader.wire.limits import MAX_BITS, MAX_BYTES, MAX_NESTING, MAX_VALUES
from grader.wire.records import Record, fields_of, name_of
from grader.wire.values import Handle, Lent
from tests.wire.strategies import arrays, values


@pytest.fixture(scope="session")
def travel(understand):
    """Send a value through a whole frame."""

    def there(value):
        pieces = write(encode(value), Caps())
        frame = understand(b"".join(bytes(piece) for piece in pieces), Caps())
        return decode(frame.tree, frame.arrays)

    return there


def _same(one, other):
    """Return whether two values are equal to the bit, in value and in type."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        one, other = np.asarray(one), np.asarray(other)
        return (one.dtype, one.shape) == (other.dtype, other.shape) and one.tobytes() == other.tobytes()
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, Record):
        one, other = fields_of(one) | {"": name_of(one)}, fields_of(other) | {"": name_of(other)}
    if isinstance(one, dict):
        return _same(list(one.items()), list(other.items()))
    if isinstance(one, float | complex):
        return repr(one) == repr(other)
    return one == other


@settings(deadline=None)
@given(value=values)
def test_every_value_comes_back_equal_and_of_its_type(travel, value):
    assert _same(travel(value), value)


@given(array=arrays)
def test_every_view_of_an_array_comes_back_as_a_plain_array_of_its_own(travel, array):
    views = [
        array,
        array.T,
        array[..., ::-1] if array.ndim else array,
        np.broadcast_to(array, (2, *array.shape)),
        np.asfortranarray(array),
    ]
    for view in views:
        again = travel(view)
        assert type(again) is np.ndarray
        assert again.dtype == view.dtype
        assert again.shape == view.shape
        assert again.tobytes() == view.tobytes()
        assert again.flags.owndata
        assert again.flags.writeable
        assert again.flags.c_contiguous


@given(array=arrays)
def test_an_array_in_the_other_byte_order_comes_back_native(travel, array):
    again = travel(array.astype(array.dtype.newbyteorder("S")))
    assert again.dtype.isnative
    assert again.tobytes() == array.tobytes()


def test_nan_keeps_its_payload_and_zero_its_sign_in_arrays(travel):
    bits = np.array([0x7FF8000000000001, 0xFFF0000000000001, 1 << 63], np.uint64)
    assert travel(bits.view(np.float64)).view(np.uint64).tolist() == bits.tolist()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0, 5e-324, complex(math.nan, -math.inf)])
def test_floats_at_the_edges_come_back(travel, value):
    assert repr(travel(value)) == repr(value)


@pytest.mark.parametrize("value", [2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**MAX_BITS - 1])
def test_ints_come_back_on_both_sides_of_64_bits(travel, value):
    assert travel(value) == value


def test_a_million_scalars_in_a_list_are_too_many_but_a_thousand_are_fine(travel):
    thousand = [np.float32(i) for i in range(1000)]
    assert _same(travel(thousand), thousand)
    with pytest.raises(Unsendable, match="more than"):
        encode([np.float32(0)] * 10**6)


class Colour(enum.IntEnum):
    RED = 3


class Pair(NamedTuple):
    a: int
    b: list[int]


class Text(str):
    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__

    def __str__(self):
        return "a lie"


class Number(float):
    def __float__(self):
        return 42.0

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


class Items(list):
    def __iter__(self):
        return iter([1, 2, 3])

    def __len__(self):
        return 10**9


class Table(dict):
    def items(self):
        return [("lie", 1)]


class Blob(bytes):
    def __bytes__(self):
        return b"lie"


class Whole(int):
    def __int__(self):
        return 42

    __index__ = __int__


class Imaginary(complex):
    def __complex__(self):
        return 42j


class Single(np.float64):
    def __array__(self, *args, **kwargs):
        return np.array(42.0)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Colour.RED, 3),
        (Pair(1, [2]), (1, [2])),
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.defaultdict(list, b=[2]), {"b": [2]}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (Text("x"), "x"),
        (Number(1.5), 1.5),
        (Items([7]), [7]),
        (Table(a=1), {"a": 1}),
        (Blob(b"x"), b"x"),
        (Whole(7), 7),
        (Imaginary(1 + 2j), 1 + 2j),
        (Single(1.5), np.float64(1.5)),
        (np.str_("x"), "x"),
        (np.bytes_(b"x"), b"x"),
        (np.array([[1, 2]]).view(np.matrix), np.array([[1, 2]])),
        (np.longlong(5), np.int64(5)),
        ({Colour.RED: 1, Text("k"): 2, np.int64(5): 3}, {3: 1, "k": 2, np.int64(5): 3}),
    ],
)
def test_a_subclass_is_read_by_its_base_and_has_no_say(travel, value, expected):
    assert _same(travel(value), expected)


def test_lone_surrogates_are_replaced(travel):
    assert travel({"a\udc00": ["\ud800"]}) == {"a\ufffd": ["\ufffd"]}


def test_references_come_back(travel):
    assert travel([Handle(3, "Gpt"), Lent(4)]) == [Handle(3, "Gpt"), Lent(4)]


@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.PCG64DXSM])
def test_a_generator_goes_on_where_it_was(travel, kind):
    rng = np.random.Generator(kind(5))
    rng.integers(10, dtype=np.int32)  # leaves half a word behind
    again = travel(rng)
    assert again.bit_generator.state == rng.bit_generator.state
    assert again.standard_normal(5).tolist() == rng.standard_normal(5).tolist()


@pytest.mark.parametrize("kind", [np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_generators_whose_state_cannot_be_checked_do_not_travel(kind):
    with pytest.raises(Unsendable, match=f"random generator over {kind.__name__}"):
        encode(np.random.Generator(kind(5)))


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        range(3),
        len,
        type,
        Ellipsis,
        slice(1),
        np.datetime64("2020-01-01"),
        np.void(b"ab"),
        bytearray(b"x"),
        memoryview(b"x"),
        (i for i in ()),
    ],
)
def test_a_type_that_does_not_travel_is_named(value):
    with pytest.raises(TypeError, match=f"a value of type {type(value).__name__} cannot be sent"):
        encode({"a": [value]})


def _wide():
    """Return a float that only some platforms have."""
    value = np.longdouble(1)
    return [value] if value.dtype.name not in DTYPES else []


@pytest.mark.parametrize("value", [np.timedelta64(1, "s"), *_wide()])
def test_a_scalar_that_is_no_number_is_named(value):
    with pytest.raises(Unsendable, match="a NumPy scalar of dtype"):
        encode(value)


@pytest.mark.parametrize("key", [b"x", 1j, frozenset(), (1, (2,)), (1, b""), object()])
def test_a_key_of_another_type_is_named(key):
    with pytest.raises(Unsendable, match="a dict with a key of type"):
        encode({key: 1})


def _nested(levels, wrap):
    value = 0
    for _ in range(levels):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: (v,), lambda v: {"a": v}, lambda v: Items([v])])
def test_nesting_ends_at_its_limit(travel, wrap):
    travel(_nested(MAX_NESTING, wrap))
    for levels in (MAX_NESTING + 1, 100_000):
        with pytest.raises(Unsendable, match=f"nested more than {MAX_NESTING} deep"):
            encode(_nested(levels, wrap))


def test_a_cycle_is_nesting_without_end():
    cycle = []
    cycle.append(cycle)
    with pytest.raises(Unsendable, match="nested"):
        encode(cycle)


def test_a_list_that_doubles_at_each_level_is_too_many_values():
    with pytest.raises(Unsendable, match=f"more than {MAX_VALUES} values"):
        encode(_nested(30, lambda v: [v, v]))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (10**100_000, "int of 332193 bits"),
        (2**MAX_BITS, f"int of {MAX_BITS + 1} bits"),
        ("a" * 100_001, "string of 100001 characters"),
        (bytes(MAX_BYTES + 1), "bytes of length"),
        (np.broadcast_to(0.0, (10**5, 10**5)), "76294 MiB of arrays"),
        ([np.zeros(2**24)] * 3, r"384 MiB of arrays \(the limit is 256 MiB\)"),
    ],
    ids=["int", "int by one bit", "string", "bytes", "broadcast", "together"],
)
def test_a_value_that_is_too_large_is_described(value, what):
    with pytest.raises(Unsendable, match=what):
        encode(value)


def test_the_largest_values_are_understood_at_the_other_end(travel):
    rows = [["" for _ in range(30)] for _ in range(2000)]
    assert travel(rows) == rows
    table = {(i, str(i)): i for i in range(5000)}
    assert travel(table) == table
    many = [np.zeros((1,) * 8, "int8")] * 4096
    assert len(travel(many)) == 4096


def test_decode_gives_what_a_reference_stands_for():
    frame = encode([Handle(1, "A"), Lent(2)])
    assert decode(frame.tree, frame.arrays, lambda reference: reference.id * 10) == [10, 20]


def test_reduce_gives_what_stands_for_an_object():
    assert encode([object()], lambda _: Handle(5, "Thing")).tree == {"list": [{"handle": [5, "Thing"]}]}


def test_an_array_that_nothing_refers_to_is_refused():
    with pytest.raises(WireError, match="1 arrays to which nothing refers"):
        decode(None, [np.zeros(1)])
