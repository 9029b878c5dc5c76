"""No bytes handed in stop a batch, hang it, or make it take memory: they end in files or in a problem."""

import gzip
import io
import lzma
import tracemalloc
import zipfile

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.intake import formats
from grader.intake.base import MIB, Caps, Refused
from grader.intake.budget import Budget
from grader.intake.layout import Search

WANTED = {"attention.py"}
SUFFIXES = st.sampled_from(sorted(formats.OPENERS))
CAPS = Caps(total_bytes=4 * MIB)


def taken(name, raw):
    """Take from an archive; returns nothing where the archive as a whole is refused. Anything else it raises fails."""
    budget = Budget(CAPS)
    tracemalloc.start()
    try:
        with formats.opened(name, io.BytesIO(raw), WANTED, budget) as level:
            return Search(WANTED, budget).take(level)
    except Refused:
        return None
    finally:
        assert tracemalloc.get_traced_memory()[1] < 24 * MIB
        tracemalloc.stop()


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


HONEST = {
    ".zip": zipped([("hw/attention.py", b"x = 1\n" * 50), ("hw/notes.txt", b"notes")]),
}


@st.composite
def damaged(draw, whole):
    """An honest archive with some bytes changed, cut out or put in."""
    raw = bytearray(whole)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(len(raw) - 1, 0)))
        length = draw(st.sampled_from([0, 1, 2, 4, 30]))
        raw[at : at + length] = draw(st.binary(max_size=8) | st.sampled_from([b"\xff" * 4, b"\xff" * 8, bytes(4)]))
    return bytes(raw)


@given(SUFFIXES, st.binary(max_size=2000))
def test_random_bytes_are_refused(suffix, raw):
    assert taken(f"a{suffix}", raw) is None or raw.strip(b"\0") == b""


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(damaged(HONEST[".zip"]))
def test_a_damaged_zip_ends_in_a_problem_or_in_what_it_held(raw):
    found = taken("a.zip", raw)
    if found is not None and found.files:
        assert found.files == {"attention.py": b"x = 1\n" * 50}


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.sampled_from(["", ".gz", ".xz"]))
def test_a_damaged_tar_ends_in_a_problem_or_in_files(make_tar, data, compression):
    plain = make_tar({"hw/attention.py": b"x = 1\n" * 50, "f" * 120 + "/x": b"2"})
    if compression == "" or data.draw(st.booleans()):
        # Damage to what is inside, with the compression around it whole.
        plain = data.draw(damaged(plain))
        raw = {"": bytes, ".gz": gzip.compress, ".xz": lambda b: lzma.compress(b, preset=0)}[compression](plain)
    else:
        raw = data.draw(
            damaged({".gz": gzip.compress, ".xz": lambda b: lzma.compress(b, preset=0)}[compression](plain))
        )
    found = taken(f"a.tar{compression}", raw)
    assert found is None or set(found.files) <= WANTED


@given(
    st.lists(
        st.tuples(
            st.text(
                st.sampled_from("./\\:a") | st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
                min_size=1,
                max_size=20,
            ),
            st.binary(max_size=9),
        ),
        max_size=6,
    )
)
def test_any_names_in_a_zip_end_in_files_or_problems(members):
    found = taken("a.zip", zipped(dict(members).items()))
    assert found is not None
    assert found.files or found.problems
