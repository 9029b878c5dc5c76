"""Tars of students, and tars made to harm."""

import gzip
import io
import lzma
import os
import tarfile
import time
import tracemalloc

import pytest

from grader.intake import formats
from grader.intake.base import MIB, Caps, Entry, Kind, Refused
from grader.intake.budget import Budget
from tests.intake.conftest import zstd

WANTED = {"attention.py"}
COMPRESSIONS = pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("a.tar", "w"),
        ("a.tar.gz", "w:gz"),
        ("a.tgz", "w:gz"),
        ("A.TAR.XZ", "w:xz"),
        ("a.txz", "w:xz"),
        ("a.tar.zst", "w:zst"),
        ("a.TZST", "w:zst"),
    ],
)


def level_of(raw, name="a.tar", caps=None):
    return formats.opened(name, io.BytesIO(raw), WANTED, Budget(caps or Caps()))


def read(raw, name="a.tar", caps=None, file="attention.py"):
    with level_of(raw, name, caps) as level:
        return level.read(file)


def listed(raw, name="a.tar"):
    with level_of(raw, name) as level:
        return level.entries(), [(p.file, p.message) for p in level.problems]


def member(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


@COMPRESSIONS
def test_files_and_folders_come_out(make_tar, code, name, mode):
    raw = make_tar({"./attention.py": code * 5000, "hw/attention.py": b"2", "hw/data.bin": b"3" * 100_000}, mode=mode)
    entries, problems = listed(raw, name)
    assert entries == [Entry("attention.py", Kind.FILE), Entry("hw", Kind.FOLDER)]
    assert problems == []
    assert read(raw, name) == code * 5000
    with level_of(raw, name) as level, level.enter("hw") as below:
        assert below.read("attention.py") == b"2"


@COMPRESSIONS
@pytest.mark.parametrize("share", [0, 0.3, 0.7, 0.95])
def test_a_truncated_archive_is_told(make_tar, name, mode, share):
    raw = make_tar({"attention.py": bytes(range(256)) * 200}, mode=mode)
    with pytest.raises(Refused, match="broken: it ends early"):
        read(raw[: int(len(raw) * min(share, 0.8 if mode == "w" else 1))], name)


@pytest.mark.parametrize(("name", "at"), [("a.tar.gz", -8), ("a.tar.xz", -6), ("a.tar.zst", -2)])
def test_a_wrong_checksum_at_the_end_is_told(make_tar, code, name, at):
    raw = bytearray(make_tar({"attention.py": code}, mode=f"w:{name[6:]}"))
    raw[at] ^= 0xFF
    with pytest.raises(Refused, match="broken"):
        read(bytes(raw), name)


@pytest.mark.parametrize(
    "bad",
    [
        member("attention.py", tarfile.SYMTYPE, "/etc/passwd"),
        member("attention.py", tarfile.LNKTYPE, "../secret"),
        member("attention.py", tarfile.CHRTYPE),
        member("attention.py", tarfile.FIFOTYPE),
        member("attention.py", tarfile.DIRTYPE),
    ],
)
def test_only_a_regular_file_is_read(make_tar, bad):
    with pytest.raises(Refused, match=r"it is .*, not a file"):
        read(make_tar({}, bad))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../attention.py", "leads out"),
        ("/attention.py", "absolute"),
        ("a\\attention.py", "backslash"),
        ("C:/attention.py", "absolute"),
        ("a\x1b[2J/attention.py", "control"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused_and_the_rest_taken(make_tar, code, name, why):
    raw = make_tar({name: b"evil", "attention.py": code})
    entries, problems = listed(raw)
    assert entries == [Entry("attention.py", Kind.FILE)]
    assert len(problems) == 1
    assert why in problems[0][1]
    assert read(raw) == code


def test_a_name_there_twice_is_not_guessed_at(make_tar, code):
    again = tarfile.TarInfo("attention.py")
    with pytest.raises(Refused, match="there more than once"):
        read(make_tar({"attention.py": code}, again))


def test_a_link_followed_by_a_file_below_it_leads_nowhere(make_tar, code):
    out = make_tar({"hw/attention.py": code}, member("hw", tarfile.SYMTYPE, "/etc"))
    assert listed(out)[0] == [Entry("hw", Kind.TWICE)]


def test_too_many_members_are_refused(make_tar):
    raw = make_tar({f"{i}.txt": b"" for i in range(50)})
    assert len(listed(raw)[0]) == 50
    with pytest.raises(Refused, match="more than 49 files"):
        read(raw, caps=Caps(entries=49))


def test_a_file_too_large_is_told_and_its_bytes_not_kept(make_tar):
    raw = make_tar({"attention.py": bytes(range(256)) * 40_000})
    tracemalloc.start()
    with pytest.raises(Refused, match="larger than 1024 KiB"):
        read(raw)
    assert tracemalloc.get_traced_memory()[1] < 6 * MIB
    tracemalloc.stop()


def bomb(compress):
    info = tarfile.TarInfo("data.bin")
    info.size = 300 * MIB
    return compress(info.tobuf() + bytes(info.size) + bytes(1024))


@pytest.mark.parametrize(
    ("name", "compress"),
    [
        ("a.tar.gz", gzip.compress),
        ("a.tar.xz", lambda raw: lzma.compress(raw, preset=0)),
        ("a.tar.zst", zstd.compress),
    ],
)
def test_a_bomb_of_a_thousand_to_one_is_refused_at_once(name, compress):
    raw = bomb(compress)
    assert len(raw) < MIB
    tracemalloc.start()
    began = time.process_time()
    with pytest.raises(Refused, match="200 times its size"):
        read(raw, name)
    assert time.process_time() - began < 0.5
    assert tracemalloc.get_traced_memory()[1] < 8 * MIB
    tracemalloc.stop()


def test_more_than_the_total_is_not_read_on(make_tar):
    raw = make_tar({"data.bin": bytes(range(256)) * 8000})
    with pytest.raises(Refused, match="more than 1 MiB"):
        read(raw, caps=Caps(total_bytes=MIB))


def test_an_archive_inside_is_kept_whole(make_tar, make_zip, code):
    inner = make_zip({"attention.py": code})
    with level_of(make_tar({"inner.zip": inner})) as level, level.archive("inner.zip") as stream:
        assert stream.read() == inner


def test_what_is_not_wanted_is_not_kept(make_tar):
    with pytest.raises(Refused, match="not a file"):
        read(make_tar({"notes.txt": b"x"}), file="notes.txt")


@pytest.mark.parametrize(("name", "mode"), [("a.tar", "w"), ("a.tar.zst", "w:zst")])
def test_names_of_megabytes_are_refused_and_not_kept(make_tar, code, name, mode):
    long = {"\U0001f600" + os.urandom(15_000).hex(): b"" for _ in range(500)}
    raw = make_tar(long | {"attention.py": code}, mode=mode)
    tracemalloc.start()
    with level_of(raw, name) as level:
        assert level.read("attention.py") == code
        assert {p.message for p in level.problems} == {"its name is too long"}
    assert tracemalloc.get_traced_memory()[1] < 8 * MIB
    tracemalloc.stop()
