from __future__ import annotations

import numpy as np
import pytest

from grader.wire.errors import ChannelClosed, Unsendable, WireError
from grader.wire.frames import MAGIC, PREFIX, Caps, Frame, write

CAPS = Caps(header_bytes=1000, payload_bytes=1000)


def _bytes(pieces):
    return b"".join(bytes(piece) for piece in pieces)


def test_a_frame_comes_back(understand):
    arrays = [np.arange(6, dtype="int16").reshape(2, 3), np.array(2.5), np.zeros((0, 4)), np.array([1j])]
    tree, again = understand(_bytes(write(Frame({"a": [1, None]}, arrays), CAPS)), CAPS)
    assert tree == {"a": [1, None]}
    for one, other in zip(arrays, again, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_arrays_that_come_back_are_writable_and_own_their_memory(understand):
    (array,) = understand(_bytes(write(Frame(None, [np.zeros(3)]), CAPS)), CAPS).arrays
    assert array.flags.owndata
    array.resize((5,), refcheck=False)  # whoever traces this test holds a reference too
    array[:] = 1
    assert array.sum() == 5


@pytest.mark.parametrize(
    ("sizes", "pieces"), [((), 1), ((8, 8), 1), ((8000, 8000), 2), ((10_000, 8), 3), ((8, 10_000, 10_000, 8), 4)]
)
def test_a_frame_goes_in_few_pieces_and_large_arrays_are_not_copied(understand, sizes, pieces):
    arrays = [np.arange(size, dtype=np.float64) for size in sizes]
    made = write(Frame(None, arrays), Caps())
    assert len(made) == pieces
    again = understand(_bytes(made), Caps()).arrays
    assert [array.tolist() for array in again] == [array.tolist() for array in arrays]


@pytest.mark.parametrize("length", range(len(PREFIX.pack(MAGIC, 0, 0))))
def test_a_frame_cut_short_is_a_closed_connection(understand, length):
    with pytest.raises(ChannelClosed):
        understand(PREFIX.pack(MAGIC, 0, 0)[:length])


@pytest.mark.parametrize("magic", [b"\0\0\0\0", b"row2", b"GET ", b"\x80\x04\x95\0"])
def test_a_frame_begins_with_the_magic(understand, magic):
    with pytest.raises(WireError, match="begins with"):
        understand(PREFIX.pack(magic, 2, 0) + b"{}")


@pytest.mark.parametrize(
    ("header", "payload"), [(1001, 0), (2**32 - 1, 0), (2, 1001), (2, 2**64 - 1), (2**32 - 1, 2**64 - 1)]
)
def test_the_prefix_is_held_to_the_caps_before_anything_is_read(understand, header, payload):
    with pytest.raises(WireError, match="more than a frame may hold"):
        understand(PREFIX.pack(MAGIC, header, payload), CAPS)


@pytest.mark.parametrize("header", [b"[]", b"{}", b'{"tree":1}', b'{"tree":1,"arrays":[],"more":1}', b"5", b"null"])
def test_a_header_holds_tree_and_arrays_and_nothing_else(understand, by_hand, header):
    with pytest.raises(WireError, match="must hold"):
        understand(by_hand(None, header=header))


def test_a_payload_without_arrays_is_refused(understand, by_hand):
    with pytest.raises(WireError, match="add up"):
        understand(by_hand(None, [], b"abc"))


def test_a_payload_is_not_awaited_for_a_header_that_lies(understand, by_hand):
    with pytest.raises(WireError, match="does not travel"):
        understand(by_hand(None, [["O", [1]]], length=8))


@pytest.mark.parametrize(
    ("frame", "what"),
    [
        (Frame("a" * 1001, []), "KiB of numbers and strings"),
        (Frame(None, [np.zeros(126)]), "MiB of arrays"),
        (Frame(None, [np.zeros(0)] * 5000), "more than 4096 arrays"),
    ],
)
def test_a_frame_that_the_other_side_would_refuse_is_not_written(frame, what):
    with pytest.raises(Unsendable, match=what):
        write(frame, CAPS)
