"""No frame makes the judge hang, or take memory past the cap. That no bytes crash it, `tests/fuzz` shows."""

from __future__ import annotations

import socket
import threading
import time
import tracemalloc

import numpy as np
import pytest

from grader.wire.channel import Channel
from grader.wire.errors import WireError
from grader.wire.frames import MAGIC, PREFIX, Caps
from grader.wire.messages import Returned
from tests.wire.hearing import CAPS, SLACK, VALID, judge


def test_valid_frames_are_valid():
    assert not [data for data in VALID if isinstance(judge(data), WireError)]


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
