from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from grader.intake.base import digest

FILES = st.dictionaries(st.text("ab", max_size=3), st.binary(max_size=4), max_size=3)


def test_the_digest_does_not_depend_on_order():
    assert digest({"a.py": b"1", "b.py": b"2"}) == digest({"b.py": b"2", "a.py": b"1"})


def test_the_digest_of_nothing_is_that_of_no_bytes():
    assert digest({}) == sha256().hexdigest()


def test_the_digest_is_over_name_length_and_content():
    raw = (4).to_bytes(8, "big") + b"a.py" + (2).to_bytes(8, "big") + b"xy"
    assert digest({"a.py": b"xy"}) == sha256(raw).hexdigest()


@given(FILES, FILES)
def test_different_files_have_different_digests(one, other):
    assert (digest(one) == digest(other)) == (one == other)
