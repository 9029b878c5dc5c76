import io

import pytest

from grader.intake import formats
from grader.intake.base import CAPS, Refused
from grader.intake.budget import Budget
from grader.intake.names import is_archive


def refusal(name, raw):
    with pytest.raises(Refused) as caught, formats.opened(name, io.BytesIO(raw), {"attention.py"}, Budget(CAPS)):
        pass
    return caught.value.problem


@pytest.mark.parametrize("suffix", formats.OPENERS)
def test_each_suffix_that_is_read_is_an_archives(suffix):
    assert is_archive(f"a{suffix}")


@pytest.mark.parametrize("suffix", formats.OPENERS)
@pytest.mark.parametrize("raw", [b"", b"x", b"# not an archive\n" * 100])
def test_what_is_no_archive_is_told(suffix, raw):
    problem = refusal(f"a{suffix}", raw)
    assert problem.file == f"a{suffix}"
    assert "broken" in problem.message
    assert problem.hint == "make the archive anew and hand in again"


@pytest.mark.parametrize(
    ("name", "raw", "is_really"),
    [
        ("a.zip", b"Rar!\x1a\x07\x01\0", "a RAR archive"),
        ("a.zip", b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
        ("a.zip", b"\x1f\x8b\x08\0", "compressed with gzip"),
        ("a.tar", b"\x1f\x8b\x08\0", "compressed with gzip"),
        ("a.tar.gz", b"PK\3\4", "a zip archive"),
        ("a.tar.xz", b"BZh9", "compressed with bzip2"),
        ("a.tgz", b"\x28\xb5\x2f\xfd", "compressed with zstd"),
        ("a.tar.zst", b"\x1f\x8b\x08\0", "compressed with gzip"),
        ("a.tzst", b"PK\3\4", "a zip archive"),
    ],
)
def test_an_archive_of_another_kind_than_its_name_is_told(name, raw, is_really):
    problem = refusal(name, raw + bytes(1000))
    assert problem.message == f"it is named {name[1:]} but is {is_really}"
    assert problem.hint == "hand in a .zip or a .tar.gz"


@pytest.mark.parametrize("name", ["a.rar", "a.7z", "a.tar.bz2", "a.zst", "attention.py.gz"])
def test_an_archive_of_a_kind_that_is_not_read_is_told(name):
    problem = refusal(name, b"")
    assert "archives are not read" in problem.message
    assert problem.hint == "hand in a .zip or a .tar.gz"
