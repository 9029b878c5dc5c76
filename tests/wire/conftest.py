"""Both ends of a wire, and frames put together by hand."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest

from grader.wire.channel import Channel
from grader.wire.errors import ChannelClosed
from grader.wire.frames import MAGIC, PREFIX, Caps, Frame, read
from grader.wire.messages import Message
from grader.wire.schema import from_frame


def _by_hand(tree: object, arrays: object = (), payload: bytes = b"", **other: object) -> bytes:
    """Return the bytes of a frame with any header at all. `header` overrides it, `length` what the prefix says of the payload."""
    header = other.get("header", json.dumps({"tree": tree, "arrays": arrays}).encode())
    assert isinstance(header, bytes)
    return PREFIX.pack(MAGIC, len(header), other.get("length", len(payload))) + header + payload


class _Bytes:
    """A stream that ends after some bytes."""

    def __init__(self, data: bytes) -> None:
        self._stream = BytesIO(data)

    def take(self, count: int) -> bytes:
        found = self._stream.read(count)
        if len(found) < count:
            raise ChannelClosed("end of the bytes")
        return found

    def fill(self, view: memoryview) -> None:
        view[:] = self.take(len(view))


def _understand(data: bytes, caps: Caps = Caps(payload_bytes=2**20)) -> Frame:  # noqa: B008 (frozen)
    """Read one frame from bytes, as from a stream that ends after them."""
    return read(_Bytes(data), caps)


@pytest.fixture(scope="session")
def by_hand() -> Callable[..., bytes]:
    return _by_hand


@pytest.fixture(scope="session")
def understand() -> Callable[..., Frame]:
    return _understand


@pytest.fixture(scope="session")
def message_of() -> Callable[[bytes], Message]:
    """Return what a judge makes of some bytes."""
    return lambda data: from_frame(_understand(data))


@pytest.fixture
def sockets() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@pytest.fixture
def channels(sockets: tuple[socket.socket, socket.socket]) -> tuple[Channel, Channel]:
    return Channel(sockets[0]), Channel(sockets[1])
