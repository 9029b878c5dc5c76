import errno
import os
import zipfile

import pytest

from grader.intake.base import Refused
from grader.intake.blame import blaming, unreadable
from grader.model.errors import GraderError


def failure(number):
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize("number", [errno.ELOOP, errno.ENOENT, errno.ENAMETOOLONG])
def test_what_the_submission_is_like_is_the_students_to_mend(number):
    problem = unreadable("a.py", failure(number))
    assert problem.file == "a.py"
    assert os.strerror(number) in problem.message
    assert not problem.ours


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
def test_what_we_may_not_read_is_ours_to_mend(number):
    problem = unreadable("a.py", failure(number))
    assert problem.ours
    assert os.strerror(number) in problem.message
    assert "chmod -R u+rX" in problem.hint


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO])
def test_what_this_machine_lacks_is_ours(number):
    with pytest.raises(GraderError, match="no fault of the submission"):
        unreadable("a.py", failure(number))
    with pytest.raises(GraderError), blaming("a.zip"):
        raise failure(number)


@pytest.mark.parametrize(
    "error",
    [
        zipfile.BadZipFile("no zip"),
        ValueError("no zip"),
        IndexError("no zip"),
        RecursionError("no zip"),
        OSError("no zip"),
    ],
)
def test_whatever_a_parser_raises_is_a_refusal(error):
    with pytest.raises(Refused, match="no zip") as caught, blaming("a.zip"):
        raise error
    assert caught.value.problem.file == "a.zip"


def test_a_place_that_an_archive_sends_us_to_and_that_is_none_is_no_matter_of_permissions():
    with pytest.raises(Refused, match=r"it is broken: .*Invalid argument"), blaming("a.zip"):
        raise failure(errno.EINVAL)


def test_an_error_without_words_is_told_by_its_name():
    with pytest.raises(Refused, match="EOFError"), blaming("a.zip"):
        raise EOFError


def test_words_from_an_archive_are_told_escaped():
    with pytest.raises(Refused) as caught, blaming("a.zip"):
        raise ValueError("bad \x1b[2J name")
    assert "\x1b" not in caught.value.problem.message


def test_a_refusal_and_a_lack_of_memory_pass_unchanged():
    refused = Refused("a", "b", "c")
    with pytest.raises(Refused) as caught, blaming("a.zip"):
        raise refused
    assert caught.value is refused
    with pytest.raises(MemoryError), blaming("a.zip"):
        raise MemoryError


def test_what_is_known_to_be_ours_is_not_blamed_on_the_archive():
    with pytest.raises(GraderError, match="ours"), blaming("a.tar.zst"):
        raise GraderError("ours")
