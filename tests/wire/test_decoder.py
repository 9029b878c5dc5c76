"""Trees that no encoder writes. Each ends in a `WireError`, and in nothing else."""

from __future__ import annotations

import inspect
import sys
import time

import numpy as np
import pytest

from grader.wire.codec import decode
from grader.wire.errors import WireError
from grader.wire.header import parse

PCG = ["PCG64", "0x1", "0x3", "0x0", "0x0"]
LIES = [
    # no tag, or not one
    [],
    [1, 2],
    {},
    {"list": [], "tuple": []},
    {"set": []},
    {"pickle": "gASVAAAAAAAAAAAu"},
    {"eval": "1"},
    {"__reduce__": []},
    {"a" * 1000: 1},
    # containers
    {"list": None},
    {"list": "abc"},
    {"list": {"0": 1}},
    {"list": [[]]},
    {"tuple": 3},
    {"dict": [1]},
    {"dict": ["a", 1, "b"]},
    {"dict": ["a", 1, "a", 2]},
    {"dict": [1, 1, 1.0, 2]},
    {"dict": [1, 1, True, 2]},
    {"dict": [{"list": []}, 1]},
    {"dict": [{"dict": []}, 1]},
    {"dict": [{"tuple": [{"tuple": []}]}, 1]},
    {"dict": [{"array": 0}, 1]},
    {"dict": [{"handle": [1, "a"]}, 1]},
    {"dict": {"a": 1}},
    {"record": []},
    {"record": None},
    {"record": "Sizes"},
    {"record": [1]},
    {"record": ["Sizes", "width"]},
    {"record": ["Sizes", 1, 2]},
    {"record": ["Sizes", {"list": []}, 2]},
    {"record": ["Sizes", "width", 1, "width", 2]},
    {"record": ["Sizes", "two words", 1]},
    {"record": ["Sizes", "_fields", 1]},
    {"record": ["Sizes", "__class__", 1]},
    {"record": ["Sizes", "", 1]},
    {"record": ["__import__('os')"]},
    {"record": ["_name"]},
    {"record": ["S" * 201]},
    {"record": ["Sizes", *(part for number in range(65) for part in (f"f{number}", 0))]},
    {"record": {"name": "Sizes"}},
    {"dict": [{"record": ["Sizes"]}, 1]},
    # numbers
    {"float": "NaN"},
    {"float": "1.5"},
    {"float": 1.5},
    {"float": ["nan"]},
    {"int": "5"},
    {"int": 5},
    {"int": "0x" + "f" * 300},
    {"int": "0x" + "f" * 200_000},
    {"complex": [1.0]},
    {"complex": [1, 2]},
    {"complex": ["1", "2"]},
    {"complex": "1j"},
    {"complex": [1.0, 2.0, 3.0]},
    # arrays by position
    {"array": 1},
    {"array": -1},
    {"array": 0.0},
    {"array": "0"},
    {"array": None},
    {"array": True},
    {"array": False},
    {"array": [0]},
    {"array": 2**62},
    {"list": [{"array": 0}, {"array": 0}]},
    {"list": [{"array": 0}, {"bytes": 0}]},
    {"list": []},
    None,
    # scalars
    {"scalar": None},
    {"scalar": ["float64"]},
    {"scalar": ["float64", "00"]},
    {"scalar": ["float64", "0" * 17]},
    {"scalar": ["float64", "zz" * 8]},
    {"scalar": ["float64", "00 00 00 00 00 0"]},
    {"scalar": ["float64", "0" * 14]},
    {"scalar": ["object", "0" * 16]},
    {"scalar": ["O", "0" * 16]},
    {"scalar": ["float64", 0]},
    {"scalar": [["float64"], "0" * 16]},
    {"scalar": ["bool", "02"]},
    {"scalar": ["float64", "0" * 200_000]},
    # bytes
    {"bytes": "x"},
    {"bytes": 0},
    # generators
    {"generator": None},
    {"generator": []},
    {"generator": ["PCG64"]},
    {"generator": [*PCG, "0x0"]},
    {"generator": ["MT19937", *PCG[1:]]},
    {"generator": [["PCG64"], *PCG[1:]]},
    {"generator": [{}, *PCG[1:]]},
    {"generator": ["PCG64", "-0x1", "0x1", "0x0", "0x0"]},
    {"generator": ["PCG64", "0x1" + "0" * 32, "0x1", "0x0", "0x0"]},
    {"generator": ["PCG64", "0x1", "0x1", "0x2", "0x0"]},
    {"generator": ["PCG64", "0x1", "0x1", "0x1", "0x100000000"]},
    {"generator": ["PCG64", 1, 1, 0, 0]},
    # tensors, where no torch is loaded or the dtype is another
    {"tensor": None},
    {"tensor": [0]},
    {"tensor": [0, "float64", 1]},
    {"tensor": [0, "object"]},
    {"tensor": [0, ["float64"]]},
    {"tensor": [0, "bfloat16"]},
    {"tensor": [9, "float64"]},
    {"torch_generator": 0},
    {"torch_generator": "x"},
    # references
    {"handle": None},
    {"handle": [1]},
    {"handle": [-1, "a"]},
    {"handle": [True, "a"]},
    {"handle": ["1", "a"]},
    {"handle": [1.0, "a"]},
    {"handle": [1, 2]},
    {"handle": [1, "a" * 201]},
    {"handle": [1, "a", 2]},
    {"lent": None},
    {"lent": -1},
    {"lent": "0"},
    {"lent": True},
    {"lent": [0]},
]


@pytest.mark.parametrize("tree", LIES, ids=lambda tree: repr(tree)[:50])
def test_a_tree_that_lies_is_refused(tree):
    with pytest.raises(WireError):
        decode(tree, [np.zeros(3)])


@pytest.mark.parametrize(
    "array", [np.zeros(3), np.zeros((2, 2), np.uint8), np.zeros((), np.uint8), np.zeros(3, np.int8)]
)
def test_bytes_are_one_axis_of_uint8(array):
    with pytest.raises(WireError, match="bytes"):
        decode({"bytes": 0}, [array])


def test_a_boolean_that_is_neither_true_nor_false_is_refused():
    two = np.array([0, 1, 2], np.uint8)
    with pytest.raises(WireError, match="neither 0 nor 1"):
        decode({"array": 0}, [two.view(bool)])
    assert decode({"array": 0}, [two[:2].view(bool)]).tolist() == [False, True]


def _inverse(odd):
    return pow(odd, -1, 2**64)


def _tuples_of_one_hash(count):
    """Return pairs of ints that CPython hashes to one value: after the first lane, the second is solved for."""
    first, second, fifth = 11400714785074694791, 14029467366897019727, 2870177450012600261
    mask = 2**64 - 1
    found = []
    at = 0
    while len(found) < count:
        at += 1
        lane = (fifth + at * second) & mask
        lane = ((lane << 31) | (lane >> 33)) & mask
        lane = (lane * first) & mask
        wanted = ((12345 - lane) * _inverse(second)) & mask
        if wanted < 2**61 - 1:
            found.append((at, wanted))
    return found


def test_keys_chosen_to_collide_are_refused_at_once():
    keys = _tuples_of_one_hash(5000)
    assert len({hash(key) for key in keys}) < 3, "the attack is no longer one"
    body = [part for key in keys for part in ({"tuple": list(key)}, 0)]
    started = time.process_time()
    with pytest.raises(WireError, match="same hash"):
        decode({"dict": body}, [])
    assert time.process_time() - started < 2


def test_an_honest_table_of_pairs_is_no_attack():
    body = [part for i in range(100) for j in range(100) for part in ({"tuple": [i, j]}, i * j)]
    assert len(decode({"dict": body}, [])) == 10_000


@pytest.mark.parametrize("room", range(30, 400, 20))
def test_a_caller_deep_in_calls_gets_the_value_or_a_refusal(room):
    header = b'{"list":[' * 60 + b"]}" * 60

    def outcome():
        try:
            return decode(parse(header), [])
        except WireError as error:
            return error

    def deep(levels):
        return outcome() if levels == 0 else deep(levels - 1)

    result = deep(sys.getrecursionlimit() - len(inspect.stack(0)) - room)
    assert isinstance(result, list) or "nested" in str(result)
    assert isinstance(outcome(), list)
    if room < 60:
        assert isinstance(result, WireError)
