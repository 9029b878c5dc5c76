"""Zips of students, and zips made to harm."""

import io
import stat
import struct
import time
import tracemalloc
import zipfile

import pytest

from grader.intake import formats, zips
from grader.intake.base import Caps, Entry, Kind, Refused
from grader.intake.budget import Budget

WANTED = {"attention.py"}


def level_of(raw, caps=None):
    """Open an archive as intake does, broken ones told."""
    return formats.opened("a.zip", io.BytesIO(raw), WANTED, Budget(caps or Caps()))


def read(raw, name="attention.py", caps=None):
    with level_of(raw, caps) as level:
        return level.read(name)


def listed(raw):
    with level_of(raw) as level:
        return level.entries(), [(p.file, p.message) for p in level.problems]


def patched(raw, old, new, *, count=2):
    """Change bytes of an archive in place, its lengths kept."""
    assert len(old) == len(new)
    assert raw.count(old) == count
    return raw.replace(old, new)


def test_files_and_folders_come_out(make_zip, code):
    raw = make_zip({"attention.py": code, "hw/attention.py": b"2", "hw/deep/x": b"3"})
    entries, problems = listed(raw)
    assert entries == [Entry("attention.py", Kind.FILE), Entry("hw", Kind.FOLDER)]
    assert problems == []
    assert read(raw) == code
    with level_of(raw) as level, level.enter("hw") as below:
        assert below.read("attention.py") == b"2"
        assert [e.name for e in below.entries()] == ["attention.py", "deep"]


def test_a_stored_member_and_one_in_front_of_a_program_come_out(make_zip, code):
    raw = make_zip({"attention.py": code}, method=zipfile.ZIP_STORED)
    assert read(raw) == code
    assert read(b"#!/bin/sh\n" * 50 + raw) == code


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../attention.py", "leads out"),
        ("a/../../attention.py", "leads out"),
        ("/attention.py", "absolute"),
        ("C:/attention.py", "absolute"),
        ("hw\\attention.py", "backslash"),
        ("..\\attention.py", "backslash"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused_and_the_rest_taken(make_zip, code, name, why):
    raw = make_zip({"XX/attention.py".ljust(len(name), "X")[: len(name)]: b"evil", "attention.py": code})
    raw = raw.replace("XX/attention.py".ljust(len(name), "X")[: len(name)].encode(), name.encode())
    entries, problems = listed(raw)
    assert entries == [Entry("attention.py", Kind.FILE)]
    assert [file for file, message in problems if why in message] == [name]
    assert read(raw) == code


def test_an_empty_name_is_refused(make_zip):
    entries, problems = listed(make_zip({zipfile.ZipInfo(""): b"x"}))
    assert entries == []
    assert "empty" in problems[0][1]


def test_a_name_cut_at_a_nul_is_not_the_wanted_one(make_zip):
    raw = patched(make_zip({"attention.pyX.txt": b"evil"}), b"attention.pyX.txt", b"attention.py\0.txt")
    entries, problems = listed(raw)
    assert entries == []
    assert problems == [("attention.py\\x00.txt", "its name holds control characters")]


def test_a_foreign_name_cut_at_a_nul_is_not_the_wanted_one_either(make_zip):
    raw = patched(make_zip({"attention.pyX\u4f5c": b"evil"}), b"attention.pyX", b"attention.py\0")
    entries, problems = listed(raw)
    assert entries == []
    assert problems == [("attention.py\\x00\u4f5c", "its name holds control characters")]


def test_of_many_refused_names_only_some_are_told(make_zip):
    _, problems = listed(make_zip({f"../{i}": b"" for i in range(500)}))
    assert len(problems) == 21
    assert problems[-1] == ("and more", "its name leads out of the archive")


@pytest.mark.parametrize(
    ("kind", "seen"),
    [(stat.S_IFLNK, "a link"), (stat.S_IFCHR, "a device"), (stat.S_IFIFO, "a device"), (stat.S_IFSOCK, "a device")],
)
def test_a_link_or_device_is_not_read(make_zip, zip_link, kind, seen):
    raw = make_zip({zip_link("attention.py", kind): b"../../secret"})
    with pytest.raises(Refused, match=f"it is {seen}"):
        read(raw)


def test_a_link_to_a_folder_is_not_entered_as_one(make_zip, zip_link):
    raw = make_zip({zip_link("hw"): b"/etc", "hw/attention.py": b"x"})
    assert listed(raw)[0] == [Entry("hw", Kind.TWICE)]


def test_an_encrypted_member_is_told(make_zip, code):
    raw = bytearray(make_zip({"attention.py": code}))
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        raw[raw.index(signature) + offset] |= 1
    with pytest.raises(Refused, match="encrypted") as caught:
        read(bytes(raw))
    assert caught.value.problem.hint == "make an ordinary zip, without a password"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_methods_of_compression_are_not_inflated(make_zip, code, method):
    with pytest.raises(Refused, match=f"method {method}"):
        read(make_zip({"attention.py": code}, method=method))


def test_another_method_does_no_harm_in_a_member_that_is_not_wanted(make_zip, code):
    info = zipfile.ZipInfo("data.bin")
    info.compress_type = zipfile.ZIP_LZMA
    assert read(make_zip({info: bytes(1000), "attention.py": code})) == code


@pytest.mark.parametrize("keep", [0, 1, 10, 100, -1, -30, -60])
def test_a_truncated_archive_is_told(make_zip, code, keep):
    with pytest.raises(Refused, match="broken"):
        read(make_zip({"attention.py": code * 20})[:keep])


def test_a_wrong_checksum_is_told(make_zip, code):
    raw = patched(make_zip({"attention.py": code}, method=zipfile.ZIP_STORED), b"return x", b"return y", count=1)
    with pytest.raises(Refused, match="CRC"):
        read(raw)


def test_damaged_compressed_bytes_are_told(make_zip):
    raw = bytearray(make_zip({"attention.py": bytes(range(256)) * 20}))
    raw[60:90] = b"\xff" * 30
    with pytest.raises(Refused, match="broken"):
        read(bytes(raw))


def test_a_name_that_the_member_itself_contradicts_is_told(make_zip):
    raw = make_zip({"attention.py": b"x"})
    with pytest.raises(Refused, match="broken"):
        read(raw.replace(b"attention.py", b"attentive.py", 1))


def test_a_name_there_twice_is_not_guessed_at(code):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("attention.py", code)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("attention.py", b"other")
    with pytest.raises(Refused, match="there more than once"):
        read(out.getvalue())


@pytest.mark.parametrize("members", [("a", "a/attention.py"), ("a/attention.py", "a")])
def test_a_name_that_is_file_and_folder_at_once_is_neither(make_zip, members):
    assert listed(make_zip(dict.fromkeys(members, b"x")))[0] == [Entry("a", Kind.TWICE)]


def test_a_bomb_of_a_thousand_to_one_is_refused_at_once(make_zip):
    raw = make_zip({"attention.py": bytes(200_000_000)})
    assert len(raw) < 200_000
    tracemalloc.start()
    began = time.process_time()
    with pytest.raises(Refused, match="larger than 1024 KiB"):
        read(raw)
    assert time.process_time() - began < 0.5
    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()


def test_a_small_bomb_is_refused_for_its_ratio(make_zip):
    with pytest.raises(Refused, match="200 times its size"):
        read(make_zip({"attention.py": b"#" * 900_000}))


def test_a_bomb_that_lies_about_its_size_does_not_pass(make_zip):
    raw = make_zip({"attention.py": bytes(50_000_000)})
    raw = patched(raw, struct.pack("<L", 50_000_000), struct.pack("<L", 100))
    with pytest.raises(Refused):
        read(raw)


def test_a_bomb_in_a_member_that_is_not_wanted_is_never_inflated(make_zip, code):
    raw = make_zip({"data.bin": bytes(200_000_000), "attention.py": code})
    began = time.process_time()
    assert read(raw) == code
    assert time.process_time() - began < 0.5


def test_a_member_that_inflates_to_nothing_for_megabytes_is_not_read_through(make_zip):
    empty = b"\0\0\0\xff\xff" * 400_000  # blocks of deflate that hold no byte
    raw = make_zip({"attention.py": empty}, method=zipfile.ZIP_STORED)
    raw = raw.replace(struct.pack("<HHH", 20, 0, 0), struct.pack("<HHH", 20, 0, 8))
    with pytest.raises(Refused, match="larger than 1024 KiB"):
        read(raw)


def test_members_that_share_their_bytes_are_refused(make_zip, code):
    raw = make_zip({"attention.py": code * 9, "b.py": b"x"}, method=zipfile.ZIP_STORED)
    offset = struct.pack("<L", raw.index(b"PK\3\4", 4))
    at = raw.rindex(offset)
    inner = raw.index(code) + 10
    with pytest.raises(Refused, match="shares its bytes"):
        read(raw[:at] + struct.pack("<L", inner) + raw[at + 4 :])


def test_two_names_for_the_same_bytes_are_refused(make_zip, code):
    raw = make_zip({"attention.py": code, "b.py": code}, method=zipfile.ZIP_STORED)
    at = raw.rindex(struct.pack("<L", raw.index(b"PK\3\4", 4)))
    with pytest.raises(Refused, match="shares its bytes"):
        read(raw[:at] + bytes(4) + raw[at + 4 :])


def test_too_many_members_are_refused(make_zip, code):
    raw = make_zip({f"{i}.txt": b"" for i in range(50)} | {"attention.py": code})
    assert read(raw, caps=Caps(entries=51)) == code
    with pytest.raises(Refused, match="more than 50 files"):
        read(raw, caps=Caps(entries=50))


def test_a_table_of_contents_of_many_megabytes_is_not_read(make_zip):
    raw = make_zip({f"{'x' * 60000}{i}": b"" for i in range(60)})
    with pytest.raises(Refused, match="table of contents is too long"):
        listed(raw)


def test_a_name_that_says_it_is_utf8_is_read_so(make_zip):
    assert listed(make_zip({"\u4f5c\u696d/attention.py": b"x"}))[0] == [Entry("\u4f5c\u696d", Kind.FOLDER)]


def test_a_name_in_the_oldest_encoding_leaves_the_file_inside_it_wanted(make_zip, code):
    raw = patched(make_zip({"cafX/attention.py": code}), b"cafX", b"caf\x82")
    with level_of(raw) as level:
        assert level.entries() == [Entry("caf\u00e9", Kind.FOLDER)]
        with level.enter("caf\u00e9") as below:
            assert below.read("attention.py") == code


def test_a_folder_zipped_by_windows_in_taiwan_is_entered(make_zip, code):
    raw = patched(make_zip({"XXYYZZ/attention.py": code}), b"XXYYZZ", "\u8a31\u529f\u84cb".encode("cp950"))
    entries, problems = listed(raw)
    assert entries == [Entry("\u8a31\u529f\u84cb", Kind.FOLDER)]
    assert problems == []


def test_a_name_a_thousand_folders_deep_takes_no_thousand_nodes(make_zip):
    raw = make_zip({"a/" * 10000 + "attention.py": b"x"})
    with level_of(raw, Caps(depth=2)) as level:
        assert level.entries() == [Entry("a", Kind.FOLDER)]


def test_an_archive_inside_can_seek(make_zip):
    with level_of(make_zip({"inner.zip": b"0123456789"})) as level, level.archive("inner.zip") as stream:
        assert stream.seek(5) == 5
        assert stream.read() == b"56789"


def test_the_archive_is_closed_after_use(make_zip):
    stream = io.BytesIO(make_zip({"attention.py": b"x"}))
    with zips.opened("a.zip", stream, WANTED, Budget(Caps())) as level:
        pass
    with pytest.raises(Refused):
        level.read("attention.py")
