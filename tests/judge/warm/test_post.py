"""Messages arrive whole, or not at all."""

import os
import socket
import struct
import threading

import pytest

from grader.judge.warm.post import receive, receive_with, send


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


@pytest.mark.parametrize("size", [0, 1, 5_000_000])
def test_a_message_of_any_size_arrives(ends, size):
    content = os.urandom(size)
    writer = threading.Thread(target=send, args=(ends[0], content))
    writer.start()
    assert receive(ends[1]) == content
    writer.join()


def test_a_descriptor_arrives_with_its_message(ends, tmp_path):
    path = tmp_path / "file"
    path.write_text("hello")
    with path.open("rb") as stream:
        send(ends[0], b"here", (stream.fileno(),))
    content, [descriptor] = receive_with(ends[1])
    assert content == b"here"
    assert os.read(descriptor, 10) == b"hello"
    os.close(descriptor)


@pytest.mark.parametrize("sent", [b"", b"\0\0", struct.pack(">Q", 10) + b"abc", struct.pack(">Q", 1 << 40)])
def test_what_is_no_message_is_none(ends, sent):
    ends[0].sendall(sent)
    ends[0].close()
    assert receive(ends[1]) is None
