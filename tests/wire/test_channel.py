from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from grader.wire.channel import Channel
from grader.wire.errors import ChannelClosed, Unsendable, WireError
from grader.wire.frames import MAGIC, PREFIX, Caps
from grader.wire.messages import Call, Imported, Returned


class Late(BaseException):
    """A deadline has passed."""


def deadline(seconds):
    """Return a tick that raises after some time, and the times it was called at."""
    called = [time.monotonic()]

    def tick():
        called.append(time.monotonic())
        if called[-1] - called[0] > seconds:
            raise Late

    return tick, called


def test_messages_go_both_ways_in_order(channels):
    ours, theirs = channels
    ours.send(Call("a.b", (1,)))
    ours.send(Call("a.b", (2,)))
    assert [theirs.receive().args, theirs.receive().args] == [(1,), (2,)]
    theirs.send(Returned(3))
    assert ours.receive() == Returned(3)


def test_a_message_larger_than_the_socket_holds_arrives(channels):
    ours, theirs = channels
    big = np.arange(2**20, dtype=np.float64)
    sender = threading.Thread(target=ours.send, args=(Returned(big, (big[::2],)),))
    sender.start()
    message = theirs.receive(lambda: None)
    sender.join()
    np.testing.assert_array_equal(message.value, big)
    np.testing.assert_array_equal(message.args[0], big[::2])


def test_a_peer_that_says_nothing_is_given_up_on(channels):
    tick, called = deadline(0.2)
    with pytest.raises(Late):
        channels[0].receive(tick)
    assert 0.2 < called[-1] - called[0] < 10


def test_a_peer_that_trickles_bytes_is_given_up_on(channels, sockets):
    stop = threading.Event()
    slow = PREFIX.pack(MAGIC, 200_000, 0) + b"[" * 200_000

    def trickle():
        for byte in slow:
            if stop.wait(0.003):
                return
            sockets[1].send(bytes([byte]))

    sender = threading.Thread(target=trickle)
    sender.start()
    tick, called = deadline(0.4)
    try:
        with pytest.raises(Late):
            channels[0].receive(tick)
    finally:
        stop.set()
        sender.join()
    assert called[-1] - called[0] < 10
    assert len(called) > 5, "the clock stood still while bytes came"


def test_a_peer_that_does_not_read_is_given_up_on(channels):
    tick, called = deadline(0.2)
    with pytest.raises(Late):
        channels[0].send(Returned(np.zeros(2**22)), tick)
    assert called[-1] - called[0] < 10


def test_no_tick_is_made_for_an_answer_that_is_there(channels):
    channels[1].send(Imported())
    channels[0].receive(lambda: pytest.fail("there was nothing to wait for"), every=60)


def test_waiting_without_a_tick_is_waiting(channels):
    timer = threading.Timer(0.1, channels[1].send, (Imported(),))
    timer.start()
    assert channels[0].receive() == Imported()
    timer.join()


def test_a_closed_peer_is_told_from_a_malformed_frame(channels):
    channels[1].close()
    with pytest.raises(ChannelClosed):
        channels[0].receive(lambda: None)


def test_a_peer_that_closes_in_the_middle_of_a_frame_is_closed(channels, sockets):
    sockets[1].sendall(PREFIX.pack(MAGIC, 10, 0) + b"{")
    channels[1].close()
    with pytest.raises(ChannelClosed):
        channels[0].receive()


def test_sending_to_a_peer_that_is_gone_is_a_closed_channel(channels):
    channels[1].close()
    with pytest.raises(ChannelClosed):
        channels[0].send(Returned(np.zeros(2**20)), lambda: None)


def test_using_a_closed_channel_is_a_closed_channel(channels):
    channels[0].close()
    with pytest.raises(ChannelClosed):
        channels[0].receive()
    with pytest.raises(ChannelClosed):
        channels[0].send(Imported())
    with pytest.raises(ChannelClosed):
        channels[0].assert_quiet()


def test_silence_is_quiet_and_anything_else_is_not(channels, sockets):
    channels[0].assert_quiet()
    sockets[1].send(b"x")
    with pytest.raises(WireError, match="follows the answer"):
        channels[0].assert_quiet()


def test_quiet_leaves_the_channel_usable(channels):
    channels[0].assert_quiet()
    channels[1].send(Returned(1))
    assert channels[0].receive() == Returned(1)
    channels[0].assert_quiet()
    channels[1].close()
    channels[0].assert_quiet()


def test_a_message_that_does_not_travel_sends_nothing(channels):
    with pytest.raises(Unsendable):
        channels[0].send(Returned([np.zeros(1000), object()]))
    channels[1].assert_quiet()


def test_caps_hold_in_both_directions(sockets):
    small, large = Channel(sockets[0], Caps(payload_bytes=100)), Channel(sockets[1])
    with pytest.raises(Unsendable, match="array"):
        small.send(Returned(np.zeros(13)))
    large.send(Returned(np.zeros(13)))
    with pytest.raises(WireError, match="more than a frame may hold"):
        small.receive()


def test_an_empty_header_is_refused_at_once(channels, sockets):
    sockets[1].sendall(PREFIX.pack(MAGIC, 0, 0))
    with pytest.raises(WireError, match="not JSON"):
        channels[0].receive(lambda: pytest.fail("nothing is to be waited for"), every=60)


def test_what_nobody_asked_for_is_not_quiet_and_a_peer_that_is_gone_is(channels):
    ours, theirs = channels
    ours.assert_quiet()
    theirs.send(Imported())
    with pytest.raises(WireError, match="something follows"):
        ours.assert_quiet()
    theirs.send(Imported())
    ours.receive()  # which may read both at once
    with pytest.raises(WireError, match="something follows"):
        ours.assert_quiet()
    ours.receive()
    theirs.close()
    ours.assert_quiet()
