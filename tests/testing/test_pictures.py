"""A PNG is read as far as its header promises, and no further."""

import io
import struct
import zlib

import numpy as np
import pytest
from matplotlib import image

from grader.testing.pictures import Picture, read_png


def png(pixels) -> bytes:
    stream = io.BytesIO()
    image.imsave(stream, pixels, format="png")
    return stream.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def crafted(width: int, height: int, data: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def test_size_and_content_of_a_picture_are_read():
    found = read_png(png(np.random.default_rng(0).random((31, 47, 3))), "loss.png")
    assert found == Picture(47, 31, 31)


@pytest.mark.parametrize("shade", [0.0, 0.5, 1.0])
def test_a_blank_picture_has_hardly_a_row_of_its_own(shade):
    assert read_png(png(np.full((300, 200, 3), shade)), "loss.png").rows <= 3


WHOLE = png(np.eye(40)[..., None].repeat(3, axis=2))


@pytest.mark.parametrize("cut", [0, 7, 8, 20, 33, len(WHOLE) // 2, len(WHOLE) - 1])
def test_a_picture_that_is_cut_short_is_told(cut):
    with pytest.raises(AssertionError, match=r"loss\.png"):
        read_png(WHOLE[:cut], "loss.png")


@pytest.mark.parametrize("place", range(8, len(WHOLE) - 12, 61))
def test_a_damaged_byte_is_told(place):
    with pytest.raises(AssertionError, match=r"loss\.png"):
        read_png(WHOLE[:place] + bytes([WHOLE[place] ^ 1]) + WHOLE[place + 1 :], "loss.png")


@pytest.mark.parametrize("more", [b"", b"\0" * 100_000_000])
def test_no_more_is_inflated_than_the_header_promises(more):
    data = zlib.compress(b"\0" * 19 + more) if more else zlib.compress(b"\0" * 19)
    with pytest.raises(AssertionError, match="more or fewer pixels"):
        read_png(crafted(4, 4, data), "loss.png")


@pytest.mark.parametrize(("width", "height"), [(0, 4), (2**31, 2**31), (100_000, 100_000)])
def test_sizes_that_no_plot_has_are_refused_before_anything_is_inflated(width, height):
    with pytest.raises(AssertionError, match="pixels"):
        read_png(crafted(width, height, b""), "loss.png")
