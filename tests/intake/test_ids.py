import os
import re
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from grader.intake.ids import safe_id

NAMES = st.text(st.characters(), max_size=80) | st.text("./\\:%~ aA-_\0\x1b\u0301\u202e\udcff", max_size=12)


def unescaped(name: str) -> str:
    """Undo the escape, as anyone can who reads its description."""
    whole = b""
    for part in re.split(r"(%[0-9A-F]{2})", name):
        whole += bytes([int(part[1:], 16)]) if part.startswith("%") else part.encode()
    return whole.decode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    "name",
    ["ada", "bo-lin", "wang_2", "Ada Lovelace", "\u738b\u5c0f\u660e", "a.b", "\u0e2a\u0e21\u0e0a\u0e32\u0e22", "0"],
)
def test_an_ordinary_name_stays_as_it_is(name):
    assert safe_id(name) == name


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("", "%"),
        (".", "%2E"),
        ("..", "%2E%2E"),
        (".hidden", "%2Ehidden"),
        ("-rf", "%2Drf"),
        ("../../etc", "%2E.%2F..%2Fetc"),
        ("a/b", "a%2Fb"),
        ("a\\b", "a%5Cb"),
        ("C:", "C%3A"),
        ("a\nb", "a%0Ab"),
        ("a\x1b[2J", "a%1B%5B2J"),
        ("a\u202eb", "a%E2%80%AEb"),
        ("100%", "100%25"),
        ("dot.", "dot%2E"),
        (" ada ", "%20ada%20"),
        ("CON", "%43ON"),
        ("nul.txt", "%6Eul.txt"),
        ("com1", "%63om1"),
        ("a\udcff", "a%ED%B3%BF"),
        ("\u0301a", "%CC%81a"),
        ("<b>", "%3Cb%3E"),
        ("=1+1", "%3D1%2B1"),
        ("ada\ufe0f", "ada%EF%B8%8F"),
        ("summary.json", "%73ummary.json"),
        ("Index.html", "%49ndex.html"),
        ("Summary.CSV", "%53ummary.CSV"),
        ("gradebook.db-wal", "%67radebook.db-wal"),
        ("Policy.toml", "%50olicy.toml"),
        ("\u017fummary.json", "%C5%BFummary.json"),
    ],
)
def test_what_could_mean_something_elsewhere_is_escaped(name, escaped):
    assert safe_id(name) == escaped


@given(NAMES)
@example("conin$")
@example("COM\u00b9")
def test_every_id_is_a_plain_folder_name(name):
    found = safe_id(name)
    assert found
    assert found[0] not in ".- "
    assert found[-1] not in ". "
    assert len(found.encode()) <= 150
    assert os.path.basename(found) == found  # noqa: PTH119 -- a name, no path
    assert not re.search(r'[\x00-\x1f\x7f/\\:*?"<>|$]', found)
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in found)
    assert not re.match(
        r"(con|prn|aux|nul|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3]) *(\.|$)", found, re.IGNORECASE
    )


@given(NAMES)
def test_the_name_can_be_read_off_a_short_id(name):
    found = safe_id(name)
    assume("%~" not in found)
    assert name == ("" if found == "%" else unescaped(found))


@given(NAMES, NAMES)
def test_different_names_have_different_ids(one, other):
    assume(one != other)
    assert safe_id(one) != safe_id(other)


def test_long_names_that_differ_only_at_the_end_have_different_ids():
    one, other = safe_id("\u738b" * 200 + "a"), safe_id("\u738b" * 200 + "b")
    assert one != other
    assert max(len(one.encode()), len(other.encode())) <= 150


def test_an_id_can_be_a_folder_here(tmp_path):
    for name in ("a/b\x00c", "\u738b" * 300, "..", "CON", "\udcff\ud800"):
        (tmp_path / safe_id(name)).mkdir()
    assert len(list(tmp_path.iterdir())) == 5
