"""Compressed streams: whole ones, several in a row, broken ones, and those that cost more than they hold."""

import functools
import gzip
import io
import lzma
import os
import subprocess
import sys
import time
import tracemalloc
import zlib

import pytest

from grader.intake import formats
from grader.intake.base import CAPS, MIB, Refused
from grader.intake.budget import WASTE, Budget, Counted
from grader.intake.inflate import INFLATORS, BadStreamError, Inflating
from grader.model.errors import GraderError
from tests.intake.conftest import checked, zstd

COMPRESS = {"gz": gzip.compress, "xz": lzma.compress, "zst": checked}
KINDS = pytest.mark.parametrize("kind", COMPRESS)
SKIPPED = b"\x50\x2a\x4d\x18"  # how a frame of zstd starts that holds no content
# Frames and blocks that hold nothing, as often as one likes.
EMPTY = {"gz": gzip.compress(b""), "xz": lzma.compress(b""), "zst": zstd.compress(b"")}


def inflated(kind, raw, size=1000):
    stream = Inflating(Counted(io.BytesIO(raw), "a"), INFLATORS[kind])
    return b"".join(iter(lambda: stream.read(size), b""))


@KINDS
@pytest.mark.parametrize("size", [1, 512, 100_000])
def test_what_was_compressed_comes_out(kind, size):
    content = os.urandom(3000) + bytes(5000)
    assert inflated(kind, COMPRESS[kind](content), size) == content


@KINDS
def test_several_streams_in_a_row_are_one(kind):
    raw = b"".join(COMPRESS[kind](part) for part in (b"one", b"", b"two" * 50_000, b"three"))
    assert inflated(kind, raw) == b"one" + b"two" * 50_000 + b"three"


@KINDS
def test_zeros_behind_the_end_are_padding_and_anything_else_is_told(kind):
    raw = COMPRESS[kind](b"content")
    assert inflated(kind, raw + bytes(70_000)) == b"content"
    with pytest.raises(Exception, match=r"incorrect header|format not supported|Unknown frame"):
        inflated(kind, raw + bytes(100) + b"rubbish!" * 9)


@KINDS
def test_each_cut_is_told(kind):
    raw = COMPRESS[kind](b"content" * 20)
    for length in range(len(raw)):
        with pytest.raises(BadStreamError, match="ends early"):
            inflated(kind, raw[:length])


def test_frames_that_are_to_be_skipped_are_skipped():
    skipped = SKIPPED + (4).to_bytes(4, "little") + b"size"
    assert inflated("zst", skipped + checked(b"one") + skipped + checked(b"two") + skipped) == b"onetwo"


def test_a_window_of_8_mib_is_enough_and_a_larger_one_is_refused_before_it_takes_memory():
    content = os.urandom(1000)

    def streamed(window):
        # Not told the length of what is to come, a compressor asks for the whole window.
        writer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: window})
        return writer.compress(content) + writer.flush()

    assert inflated("zst", streamed(23)) == content
    for window in (24, 27, 31):
        with pytest.raises(zstd.ZstdError, match="too much memory"):
            inflated("zst", streamed(window))


def test_an_xz_that_asks_for_a_huge_dictionary_is_told(make_tar, code):
    raw = bytearray(lzma.compress(b"content", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    # The size of the dictionary is one byte of the block's header, whose checksum goes with it.
    at = raw.index(b"\x21\x01", 12) + 2
    raw[at] = 0x22
    end = 12 + (raw[12] + 1) * 4
    raw[end - 4 : end] = zlib.crc32(bytes(raw[12 : end - 4])).to_bytes(4, "little")
    with pytest.raises(lzma.LZMAError, match="Memory usage limit exceeded"):
        inflated("xz", bytes(raw))


def test_a_gzip_with_a_long_comment_is_read_and_one_with_megabytes_of_it_refused():
    def commented(length):
        inner = gzip.compress(b"content")
        return inner[:3] + b"\x10" + inner[4:10] + b"c" * length + b"\0" + inner[10:]

    assert inflated("gz", commented(100_000)) == b"content"
    with pytest.raises(BadStreamError, match="hardly anything"):
        inflated("gz", commented(20_000_000))


@KINDS
def test_streams_without_content_are_not_followed_for_long(kind):
    raw = COMPRESS[kind](b"a little") + EMPTY[kind] * (20 * MIB // len(EMPTY[kind]))
    stream = Counted(io.BytesIO(raw), "a")
    began = time.process_time()
    with pytest.raises(BadStreamError, match=r"hardly anything|more than 1000"):
        list(iter(functools.partial(Inflating(stream, INFLATORS[kind]).read, 1000), b""))
    assert stream.count < 2 * WASTE
    assert time.process_time() - began < 5


def test_a_skipped_frame_of_gigabytes_is_not_followed_for_long():
    raw = SKIPPED + b"\xff" * 4 + bytes(4 * MIB)
    with pytest.raises(BadStreamError, match="hardly anything"):
        inflated("zst", raw)


@KINDS
def test_bytes_that_do_not_compress_are_no_waste(kind):
    content = os.urandom(4 * MIB)
    assert inflated(kind, COMPRESS[kind](content), 64 * 1024) == content


def test_hardly_any_memory_is_taken_for_what_nobody_asked_for_yet():
    raw = zstd.compress(bytes(100 * MIB))
    tracemalloc.start()
    stream = Inflating(Counted(io.BytesIO(raw), "a"), INFLATORS["zst"])
    assert len(stream.read(1000)) <= 1000
    assert tracemalloc.get_traced_memory()[1] < MIB
    tracemalloc.stop()


def test_a_python_without_zstd_is_our_fault_and_not_the_archives(monkeypatch, make_tar, code):
    monkeypatch.setitem(sys.modules, zstd.__name__.partition(".")[0], None)
    raw = make_tar({"attention.py": code}, mode="w:zst")
    with (
        pytest.raises(GraderError, match="cannot read zstd") as caught,
        formats.opened("a.tar.zst", io.BytesIO(raw), {"attention.py"}, Budget(CAPS)),
    ):
        pass
    assert not isinstance(caught.value, Refused)
    assert "install" in caught.value.hint


def test_zstd_is_loaded_only_for_an_archive_that_needs_it():
    script = "import sys, grader.cli.main, grader.intake.discover; print([m for m in sys.modules if 'zstd' in m])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@KINDS
def test_more_than_a_thousand_streams_in_a_row_are_refused(kind):
    one = COMPRESS[kind](b"x" * 100)
    assert inflated(kind, one * 1000) == b"x" * 100_000
    with pytest.raises(BadStreamError, match="more than 1000 compressed streams"):
        inflated(kind, one * 1001)
