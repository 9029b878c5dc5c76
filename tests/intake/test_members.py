import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.intake.members import decoded, member_parts


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("attention.py", ("attention.py",)),
        ("hw/attention.py", ("hw", "attention.py")),
        ("./attention.py", ("attention.py",)),
        ("hw/", ("hw",)),
        ("./", ()),
        (".", ()),
        ("a...b/c", ("a...b", "c")),
        ("\u4f5c\u696d/attention.py", ("\u4f5c\u696d", "attention.py")),
        ("\u0645\u06cc\u200c\u062e/attention.py", ("\u0645\u06cc\u200c\u062e", "attention.py")),
        ("a" * 255, ("a" * 255,)),
    ],
)
def test_an_honest_name_is_split_into_its_parts(name, parts):
    assert member_parts(name) == parts


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "empty"),
        ("/etc/passwd", "absolute"),
        ("/", "absolute"),
        ("C:/attention.py", "absolute"),
        ("c:attention.py", "absolute"),
        ("../attention.py", "leads out"),
        ("hw/../../attention.py", "leads out"),
        ("..", "leads out"),
        ("hw\\attention.py", "backslash"),
        ("..\\attention.py", "backslash"),
        ("attention.py\0.txt", "control"),
        ("a\x1bb", "control"),
        ("a\udcff", "control"),
        ("hw//attention.py", "empty folder"),
        ("hw//", "empty folder"),
        ("hw/\u202eyp.attention", "control"),
        ("hw\u2066/attention.py", "control"),
        ("hw\u2028/attention.py", "control"),
        ("hw/" + "a" * 256, "too long"),
        ("a" * 60_000, "too long"),
    ],
)
def test_a_name_that_could_lead_elsewhere_is_refused(name, why):
    found = member_parts(name)
    assert isinstance(found, str)
    assert why in found


@given(st.text(st.sampled_from("./\\:aC\0\n") | st.characters(), max_size=30))
def test_the_parts_never_lead_anywhere(name):
    parts = member_parts(name)
    if isinstance(parts, tuple):
        assert not any(part in ("", ".", "..") or set(part) & set("/\\\0") for part in parts)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("attention.py", "ascii"), ("\u4f5c\u696d", "utf-8"), ("\u8a31\u529f\u84cb", "cp950"), ("caf\u00e9", "cp437")],
)
def test_a_name_is_read_as_its_archiver_wrote_it(text, encoding):
    assert decoded(text.encode(encoding)) == text


def test_a_folder_whose_big5_bytes_hold_a_backslash_is_no_windows_path():
    raw = "\u8a31\u529f\u84cb/attention.py".encode("cp950")
    assert b"\\" in raw
    assert member_parts(decoded(raw)) == ("\u8a31\u529f\u84cb", "attention.py")


def test_megabytes_of_names_are_judged_in_no_time():
    names = ["a/" * 30_000, "b" * 60_000, "\u4f5c/" * 30_000, "." * 60_000] * 100
    began = time.process_time()
    for name in names:
        member_parts(name)
    assert time.process_time() - began < 5


@given(st.binary(max_size=40))
def test_any_bytes_are_some_name(raw):
    assert isinstance(decoded(raw), str)
