"""No bytes at all crash the judge, hang it, or make it take memory past the cap.

What may come of them is a `WireError` or a message, and nothing else.
"""

from __future__ import annotations

import json
import random
import socket
import threading
import time
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.wire.arrays import DTYPES
from grader.wire.channel import Channel
from grader.wire.errors import WireError
from grader.wire.exchange import Lending
from grader.wire.frames import MAGIC, PREFIX, Caps, write
from grader.wire.messages import Call, CallBack, Failed, Failure, Flag, Loaded, Returned
from grader.wire.schema import to_frame
from grader.wire.values import Handle

CAPS = Caps(payload_bytes=2**20)
SLACK = 24 * 2**20  # what parsing the largest header may take beside the payload


def judge(data):
    """Return what a judge makes of bytes that arrive, after which the other side closes."""
    ours, theirs = socket.socketpair()
    lending = Lending()
    with ours, theirs:
        sender = threading.Thread(target=say, args=(theirs, data))
        sender.start()
        try:
            return Channel(ours, CAPS, reduce=lending.reduce, revive=lending.revive).receive(lambda: None)
        except WireError as error:
            return error
        finally:
            ours.close()
            sender.join()


def say(sock, data):
    """Send everything, unless the other side has heard enough."""
    with suppress(OSError):
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)


VALID = [
    b"".join(bytes(piece) for piece in write(to_frame(message), CAPS))
    for message in (
        Returned(np.arange(6.0).reshape(2, 3), (np.array([True, False]), np.float32(2), 1j), {"axis": -1}),
        Returned({"S": [1, 2.5, None, "é"], (1, "a"): (float("nan"), 10**30)}, (b"abc", Handle(3, "Box"))),
        Returned(np.random.default_rng(1), ([[[np.zeros((0, 3), np.int16)]]],)),
        Failed(Failure("call", ["ValueError", "Exception"], "no", "attention.py", 3)),
        Loaded([Flag("a.py", 1, "gc")]),
        CallBack(0, (np.ones(3, np.complex64),)),
        Call("a.b", (1, 2, 3), {"x": 5}),
    )
]

numbers = st.integers(-3, 70) | st.sampled_from([2**31, 2**62, 2**63 - 1, -(2**63), 2**64, 10**40, True, 1.0])
words = st.sampled_from(
    [*DTYPES, "O", "V8", "U4", "", "nan", "PCG64", "MT19937", "0x1", "ff" * 8, "call", "returned", "failed"]
) | st.text(max_size=4)
tags = st.sampled_from(
    [
        "list",
        "tuple",
        "dict",
        "float",
        "int",
        "complex",
        "bytes",
        "array",
        "scalar",
        "tensor",
        "generator",
        "torch_generator",
        "handle",
        "lent",
        "set",
    ]
)
trees = st.recursive(
    st.none() | numbers | st.floats() | words,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(tags, inner, min_size=1, max_size=1)
        | st.dictionaries(words, inner, max_size=3)
    ),
    max_leaves=25,
)
messages = st.tuples(words, st.dictionaries(words, trees)).map(
    lambda parts: {"tuple": [parts[0], {"dict": [part for pair in parts[1].items() for part in pair]}]}
)
listings = st.lists(st.tuples(words, st.lists(numbers, max_size=4)).map(list), max_size=4) | trees


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=200))
@example(b"")
@example(b"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00.")
def test_any_bytes(data):
    assert isinstance(judge(data), WireError)


@settings(deadline=None, max_examples=300)
@given(
    st.binary(max_size=200),
    st.integers(0, 2**32 - 1) | st.integers(0, 300),
    st.integers(0, 2**64 - 1) | st.integers(0, 300),
)
def test_any_bytes_after_the_magic(data, header, payload):
    assert isinstance(judge(PREFIX.pack(MAGIC, header, payload) + data), WireError)


@settings(deadline=None, max_examples=500)
@given(messages | trees, listings, st.binary(max_size=64), st.integers(0, 100))
def test_any_header_of_the_right_form(tree, listing, payload, length):
    header = json.dumps({"tree": tree, "arrays": listing}).encode()
    result = judge(PREFIX.pack(MAGIC, len(header), len(payload) if length else length) + header + payload)
    assert isinstance(result, WireError) or hasattr(result, "kind")


@settings(deadline=None, max_examples=500)
@given(
    st.sampled_from(VALID),
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=4),
    st.integers(-3, 3),
)
def test_any_valid_frame_with_bytes_changed(data, changes, shift):
    changed = bytearray(data)
    for place, byte in changes:
        changed[place % len(changed)] = byte
    changed = changed[:shift] if shift < 0 else changed + b"\0" * shift
    result = judge(bytes(changed))
    assert isinstance(result, WireError) or hasattr(result, "kind")


def test_valid_frames_are_valid():
    assert not [data for data in VALID if isinstance(judge(data), WireError)]


def test_thousands_of_frames_with_a_piece_of_one_in_another():
    draw = random.Random(7)  # noqa: S311
    started = time.process_time()
    for _ in range(3000):
        data, other = bytearray(draw.choice(VALID)), draw.choice(VALID)
        start, length, source = draw.randrange(len(data)), draw.randrange(1, 20), draw.randrange(len(other))
        data[start : start + length] = other[source : source + length]
        header = len(data) - PREFIX.size - PREFIX.unpack_from(data)[2]
        if draw.random() < 0.7 and 0 < header < 2**32:
            data[: PREFIX.size] = PREFIX.pack(MAGIC, header, PREFIX.unpack_from(data)[2])
        result = judge(bytes(data))
        assert isinstance(result, WireError) or hasattr(result, "kind")
    assert time.process_time() - started < 30


def frame(header, length=0, payload=b""):
    return PREFIX.pack(MAGIC, len(header), length) + header + payload


def _fill(item, size=256 * 1024 - 100):
    return b",".join([item] * (size // (len(item) + 1)))


BOMBS = {
    ("payload announced, none sent", "closed"): frame(b'{"tree":null,"arrays":[["uint8",[1048576]]]}', 2**20),
    ("header announced, none sent", "closed"): PREFIX.pack(MAGIC, 256 * 1024, 0),
    ("both at their largest number", "more than a frame may hold"): PREFIX.pack(MAGIC, 2**32 - 1, 2**64 - 1),
    ("an array of 2**62", "more than a frame may hold"): frame(
        b'{"tree":null,"arrays":[["uint8",[4611686018427387904]]]}', 2**62
    ),
    ("empty axis and huge ones", "larger than"): frame(
        b'{"tree":null,"arrays":[["float64",[0,' + _fill(b"268435456", 200) + b"]]]}"
    ),
    ("an array of 40 axes", "at most 32"): frame(b'{"tree":null,"arrays":[["int8",[' + _fill(b"0", 80) + b"]]]}"),
    ("ten thousand arrays", "at most 4096"): frame(
        b'{"tree":null,"arrays":[' + _fill(b'["int8",[0]]', 130_000) + b"]}"
    ),
    ("four thousand arrays", "nothing refers"): frame(
        b'{"tree":null,"arrays":[' + b",".join([b'["int8",[0]]'] * 4096) + b"]}"
    ),
    ("deep lists", "nested"): frame(b"[" * 250_000),
    ("deep objects", "nested"): frame(b'{"list":' * 30_000),
    ("deep and closed", "nested"): frame(b'{"tree":' + b"[" * 120_000 + b"]" * 120_000 + b',"arrays":[]}'),
    ("a number of 200000 digits", "64 bits"): frame(b'{"tree":' + b"7" * 200_000 + b',"arrays":[]}'),
    ("a fraction of 200000 digits", "known kind"): frame(b'{"tree":0.' + b"7" * 200_000 + b',"arrays":[]}'),
    ("an exponent of 200000 digits", "range of a float"): frame(b'{"tree":1e' + b"7" * 200_000 + b',"arrays":[]}'),
    ("an int in hexadecimal", "characters"): frame(b'{"tree":{"int":"0x' + b"7" * 200_000 + b'"},"arrays":[]}'),
    ("a scalar in hexadecimal", "characters"): frame(
        b'{"tree":{"scalar":["float64","' + b"77" * 100_000 + b'"]},"arrays":[]}'
    ),
    ("NaN", "NaN is no JSON"): frame(b'{"tree":NaN,"arrays":[]}'),
    ("empty lists", "known kind"): frame(b'{"tree":{"list":[' + _fill(b'{"list":[]}') + b']},"arrays":[]}'),
    ("empty dicts", "known kind"): frame(b'{"tree":{"list":[' + _fill(b'{"dict":[]}') + b']},"arrays":[]}'),
    ("scalars", "known kind"): frame(b'{"tree":{"list":[' + _fill(b'{"scalar":["int8","07"]}') + b']},"arrays":[]}'),
    ("generators", "known kind"): frame(
        b'{"tree":{"list":[' + _fill(b'{"generator":["PCG64","0x1","0x3","0x0","0x0"]}') + b']},"arrays":[]}'
    ),
    ("zeros", "known kind"): frame(b'{"tree":{"list":[' + _fill(b"0") + b']},"arrays":[]}'),
    ("floats", "known kind"): frame(b'{"tree":{"list":[' + _fill(b"0.1") + b']},"arrays":[]}'),
    ("one long string", "characters"): frame(b'{"tree":"' + b"a" * 250_000 + b'","arrays":[]}'),
    ("surrogates", "known kind"): frame(b'{"tree":{"list":[' + _fill(b'"\\ud800"') + b']},"arrays":[]}'),
    ("keys of one hash", "same hash"): frame(
        b'{"tree":{"dict":[' + _fill(b'{"tuple":[-1,-2]},0,{"tuple":[-2,-1]},0') + b']},"arrays":[]}'
    ),
    ("long unknown tag", "unknown tag"): frame(b'{"tree":{"' + b"a" * 250_000 + b'":1},"arrays":[]}'),
    ("many keys", "must hold"): frame(b"{" + b",".join(b'"%d":0' % i for i in range(20_000)) + b"}"),
    ("pickle", "not JSON"): frame(b"\x80\x05" + b"(" * 100_000),
    ("another encoding", "not JSON"): frame('{"tree":null,"arrays":[]}'.encode("utf-16")),
}


@pytest.mark.parametrize(("name", "why"), BOMBS)
def test_a_bomb_is_refused_in_bounded_time_and_memory(name, why):
    tracemalloc.start()
    started = time.process_time()
    try:
        result = judge(BOMBS[name, why])
        taken, peak = time.process_time() - started, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(result, WireError)
    assert why in str(result)
    assert taken < 5
    assert peak < CAPS.payload_bytes + SLACK


@pytest.mark.parametrize("dtype", ["uint8", "float64", "bool", "complex128"])
def test_the_largest_payload_takes_its_own_size_and_no_more(dtype):
    caps = Caps(payload_bytes=32 * 2**20)
    array = np.zeros(caps.payload_bytes // np.dtype(dtype).itemsize, dtype)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=Channel(theirs, caps).send, args=(Returned(array),))
        sender.start()
        sender.join(0.1)
        tracemalloc.start()
        message = Channel(ours, caps).receive(lambda: None)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        sender.join()
    assert message.value.nbytes == caps.payload_bytes
    assert peak < caps.payload_bytes + 2**20
