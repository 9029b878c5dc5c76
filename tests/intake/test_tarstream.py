"""Our reader of tar streams against archives that the standard library writes, and against broken ones."""

import io
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.intake.base import Kind
from grader.intake.tarstream import BadTarError, Tar
from tests.intake.headers import BLOCK, END, pax
from tests.intake.headers import block as header

FORMATS = pytest.mark.parametrize("fmt", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])


def listing(raw):
    return [(m.name, m.kind) for m in Tar(io.BytesIO(raw)).members()]


def contents(raw):
    tar = Tar(io.BytesIO(raw))
    return {m.name: tar.read(1 << 20) for m in tar.members()}


@FORMATS
def test_files_come_out_as_they_went_in(make_tar, fmt):
    files = {"attention.py": b"x" * 700, "hw/masking.py": b"", "hw/c.py": b"y" * BLOCK}
    assert contents(make_tar(files, format=fmt)) == files


@pytest.mark.parametrize("fmt", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("name", ["f/" * 100 + "attention.py", "\u4f5c\u696d/attention.py", "a" * 300])
def test_long_and_foreign_names_come_out_whole(make_tar, fmt, name):
    assert listing(make_tar({name: b"1"}, format=fmt, encoding="utf-8")) == [(name, Kind.FILE)]


def test_a_name_in_two_fields_is_put_together(make_tar):
    name = "f" * 120 + "/attention.py"
    assert listing(make_tar({name: b"1"}, format=tarfile.USTAR_FORMAT)) == [(name, Kind.FILE)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (tarfile.DIRTYPE, Kind.FOLDER),
        (tarfile.SYMTYPE, Kind.LINK),
        (tarfile.LNKTYPE, Kind.LINK),
        (tarfile.FIFOTYPE, Kind.SPECIAL),
        (tarfile.CHRTYPE, Kind.SPECIAL),
        (tarfile.BLKTYPE, Kind.SPECIAL),
        (b"Z", Kind.SPECIAL),
        (tarfile.AREGTYPE, Kind.FILE),
        (tarfile.CONTTYPE, Kind.FILE),
    ],
)
def test_each_kind_of_member_is_told_apart(kind, expected):
    assert listing(header(b"a", kind) + END) == [("a", expected)]


def test_an_old_folder_is_known_by_its_slash():
    assert listing(header(b"a/", b"\0") + END) == [("a/", Kind.FOLDER)]


def test_what_is_not_read_of_a_member_is_passed_over(make_tar):
    tar = Tar(io.BytesIO(make_tar({"a": b"x" * 3000, "b": b"y"})))
    names = []
    for member in tar.members():
        names.append(member.name)
        tar.read(1)
    assert names == ["a", "b"]


def test_no_more_is_read_of_a_member_than_it_holds(make_tar):
    tar = Tar(io.BytesIO(make_tar({"a": b"x" * 600, "b": b"y"})))
    next(tar.members())
    assert tar.read(1 << 30) == b"x" * 600
    assert tar.read(1) == b""


def test_a_size_in_an_extended_header_counts():
    raw = pax((b"size", b"3")) + header(b"a", size=0) + b"xyz" + bytes(BLOCK - 3) + header(b"b") + END
    assert [name for name, _ in listing(raw)] == ["a", "b"]


def test_a_path_in_an_extended_header_counts_for_one_member_only():
    raw = pax((b"path", b"attention.py")) + header(b"a") + header(b"b") + END
    assert [name for name, _ in listing(raw)] == ["attention.py", "b"]


def test_a_header_for_all_members_renames_none():
    body = b"19 path=evil/name\n\n"
    raw = header(b"g", b"g", len(body)) + body + bytes(-len(body) % BLOCK) + header(b"a") + END
    assert [name for name, _ in listing(raw)] == ["a"]


def test_the_name_of_a_links_target_is_nobodys_name():
    raw = header(b"k", b"K", 4) + b"evil" + bytes(BLOCK - 4) + header(b"a", b"2") + END
    assert listing(raw) == [("a", Kind.LINK)]


def test_a_binary_size_is_understood():
    raw = header(b"a", size_field=b"\x80" + (3).to_bytes(11, "big")) + b"xyz" + bytes(BLOCK - 3) + END
    assert contents(raw)["a"] == b"xyz"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "ends early"),
        (header(), "ends early"),
        (header(size=5) + b"xy", "ends early"),
        (header()[:100], "ends early"),
        (header()[:-1] + b"\1" + END, "checksum"),
        (b"not a tar at all".ljust(BLOCK), "checksum"),
        (header(size_field=b"\xff" * 11 + b"\0") + END, "too large, or a negative"),
        (header(size_field=b"\xff" * 12) + END, "too large, or a negative"),
        (header(size_field=b"99999999999\0") + END, "none"),
        (header(size_field=b"-0000000512\0") + END, "none"),
        (header(b"x", b"x", 1 << 30) + END, "header of 1073741824 bytes"),
        (header(b"x", b"L", 1 << 30) + END, "header of 1073741824 bytes"),
        (pax((b"size", b"-512")) + header() + END, "none"),
        (pax((b"size", b"9" * 4000)) + header() + END, "none"),
        (header(b"x", b"x", 4) + b"junk" + bytes(BLOCK - 4) + header() + END, "extended header is broken"),
        (header(b"x", b"x", 9) + b"99 path=a" + bytes(BLOCK - 9) + header() + END, "extended header is broken"),
        (header(b"x", b"x", 9) + b"0 path=a\n" + bytes(BLOCK - 9) + header() + END, "extended header is broken"),
        (header(b"a", b"S") + END, "sparse"),
        (pax((b"GNU.sparse.major", b"1")) + header() + END, "sparse"),
    ],
)
def test_a_broken_archive_is_told(raw, why):
    with pytest.raises(BadTarError, match=why):
        listing(raw)


def test_a_long_run_of_digits_in_a_header_costs_no_time():
    # Python's own reader needs minutes for this one: it looks for a number at each of the digits.
    body = b"1" * 65536
    raw = header(b"x", b"x", len(body)) + body + header() + END
    with pytest.raises(BadTarError):
        listing(raw)


def test_extended_headers_without_a_member_end_in_an_error_not_in_recursion():
    with pytest.raises(BadTarError, match="too many headers"):
        listing(pax((b"path", b"a")) * 3000)


def test_the_extended_headers_of_archivers_are_few_enough(make_tar):
    long = {"f/" * 100 + "attention.py": b"1", "a" * 300: b"2"}
    attributes = {f"SCHILY.xattr.user.{i}": "x" for i in range(50)}
    raw = make_tar(long, format=tarfile.PAX_FORMAT, pax_headers=attributes)
    assert contents(raw) == long
    assert contents(make_tar(long, format=tarfile.GNU_FORMAT)) == long


def test_an_archive_of_nothing_but_a_header_for_all_members_is_empty():
    assert listing(header(b"g", b"g") + END) == []


def test_a_header_of_many_records_is_refused_before_they_take_time_or_memory():
    # One of 64 KiB held 8000 keys, and all headers of 64 MiB together took minutes and a gigabyte.
    with pytest.raises(BadTarError, match="more than 100 records"):
        listing(pax(*((b"%x" % i, b"") for i in range(8000))) + header() + END)


@given(st.binary(max_size=3 * BLOCK))
def test_any_bytes_end_in_a_listing_or_are_told(raw):
    for whole in (raw, header(b"a", size=len(raw) // 2) + raw, header(b"x", b"x", len(raw)) + raw + header() + END):
        try:
            listing(whole)
        except BadTarError:
            continue
