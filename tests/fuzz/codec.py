"""The wire, as a judge hears it: only a `WireError` or a message comes of any bytes, and a message is told on unchanged.

Names ending in `.frame` hold any bytes; in `.valid`, messages that must be understood to the last one, and that are
written again byte for byte.
"""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

from grader.wire.errors import ChannelClosed, WireError
from grader.wire.frames import MAGIC, PREFIX
from grader.wire.messages import Returned
from tests.fuzz.base import Input, bounded
from tests.wire.hearing import CAPS, SLACK, VALID, heard, said
from tests.wire.strategies import listings, messages, trees, values


def inputs() -> st.SearchStrategy[Input]:
    """Return frames that are right, and headers of nearly the right form."""
    framed = st.builds(_framed, messages | trees, listings, st.binary(max_size=64), st.integers(0, 100))
    prefixed = st.builds(
        lambda data, header, payload: PREFIX.pack(MAGIC, header, payload) + data,
        st.binary(max_size=200),
        st.integers(0, 2**32 - 1) | st.integers(0, 300),
        st.integers(0, 2**64 - 1) | st.integers(0, 300),
    )
    right = st.lists(values.map(lambda value: said(Returned(value))) | st.sampled_from(VALID), min_size=1, max_size=3)
    anything = (framed | prefixed | st.binary(max_size=200)).map(lambda data: Input(".frame", data))
    return anything | right.map(lambda frames: Input(".valid", b"".join(frames)))


def mended(changed: Input, choice: int) -> Input:
    """Return it with lengths in its prefix that fit, in two cases of three."""
    data = changed.data
    if len(data) < PREFIX.size or choice % 3 == 0:
        return Input(".frame", data)
    magic, header, payload = PREFIX.unpack_from(data)
    rest = len(data) - PREFIX.size
    if choice % 3 == 1:
        header = max(rest - payload, 0) % 2**32
    else:
        payload = max(rest - header, 0)
    return Input(".frame", PREFIX.pack(magic, header, payload) + data[PREFIX.size :])


def check(path: Path) -> str:
    """Hear a file out; see `Target`."""
    data = path.read_bytes()
    with bounded(CAPS.payload_bytes + SLACK):
        told = list(heard(data))
    understood, end = told[:-1], told[-1]
    assert isinstance(end, WireError), "there is an end"
    again = [said(message) for message in understood]
    for message, once in zip(understood, again, strict=True):
        [twice, closed] = heard(once)
        assert said(twice) == once, f"{message} is told on changed"
        assert isinstance(closed, ChannelClosed)
    if path.name.endswith(".valid"):
        assert isinstance(end, ChannelClosed), str(end)
        assert b"".join(again) == data
    return f"{len(understood)} messages, then {type(end).__name__}" if len(understood) < 3 else "more messages"


def _framed(tree: object, listing: object, payload: bytes, length: int) -> bytes:
    header = json.dumps({"tree": tree, "arrays": listing}).encode()
    return PREFIX.pack(MAGIC, len(header), len(payload) if length else length) + header + payload
