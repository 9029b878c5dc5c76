import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.intake.names import archive_suffix, collision_key, is_archive, is_clutter, shown


@pytest.mark.parametrize(
    "name", [".DS_Store", "__MACOSX", "__pycache__", ".git", "._attention.py", "Thumbs.db", "expected.toml"]
)
def test_what_systems_and_tools_leave_behind_is_clutter(name):
    assert is_clutter(name)


@pytest.mark.parametrize("name", ["attention.py", "ada", "README.md", "pycache", "expected.txt"])
def test_what_people_write_is_not_clutter(name):
    assert not is_clutter(name)


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.zip", ".zip"),
        ("A.ZIP", ".zip"),
        ("a.tar.gz", ".tar.gz"),
        ("a.b.tgz", ".tgz"),
        ("a.rar", ".rar"),
        ("a.gz", ".gz"),
    ],
)
def test_an_archive_is_known_by_its_longest_suffix(name, suffix):
    assert archive_suffix(name) == suffix
    assert is_archive(name)


@pytest.mark.parametrize("name", ["attention.py", "zip", "a.zipped", "tar"])
def test_other_names_are_no_archives(name):
    assert not is_archive(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ada", "ADA"),
        ("caf\u00e9", "cafe\u0301"),
        ("stra\u00dfe", "STRASSE"),
        ("\u212bsa", "\u00e5sa"),
        ("\u212aE", "ke"),
        ("\u017foftmax.py", "softmax.py"),
        ("attention.py", "atten\u200dtion.py"),
        ("attention.py", "\ufeffattention.py"),
        ("attention.py", "attention.py\ufe0f"),
        ("attention.py", "attention.py."),
        ("attention.py", "ATTENTION.PY .. "),
    ],
)
def test_names_that_some_file_system_takes_for_one_share_a_key(one, other):
    assert collision_key(one) == collision_key(other)


@pytest.mark.parametrize("other", ["adah", "a da", ".ada", "\u00e1da"])
def test_different_names_have_different_keys(other):
    assert collision_key("ada") != collision_key(other)


@given(st.text(max_size=20))
def test_a_key_stays_the_same_however_a_file_system_writes_the_name(name):
    for form in ("NFC", "NFD"):
        assert collision_key(unicodedata.normalize(form, name)) == collision_key(name)
    assert collision_key(name.casefold()) == collision_key(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ada", "ada"),
        ("\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\nb\rc", "a\\nb\\rc"),
        ("\u202eyp.a", "\\u202eyp.a"),
        ("a\udcffb", "a\\udcffb"),
        ("\x9bm", "\\x9bm"),
    ],
)
def test_a_name_is_shown_without_what_moves_a_terminal(name, text):
    assert shown(name) == text
    shown(name).encode()


def test_a_long_name_is_cut_when_shown():
    assert len(shown("a" * 5000)) == 200
