"""What was found out is found again under its key alone, and nothing is kept twice."""

from __future__ import annotations

import pytest

from grader.gradebook.finding import ground_before, known
from grader.gradebook.keeping import keep_attempts
from grader.gradebook.results import is_final
from grader.model.verdict import Status
from tests.gradebook.toy import Filled, dated, evidence, key


def test_evidence_comes_back_as_it_was_under_its_key_and_no_other(filled: Filled) -> None:
    filled.add(found=evidence(message="was 3 \u2260 2"))
    assert known(filled.book, key().digest) == evidence(message="was 3 \u2260 2")
    assert known(filled.book, key("bob").digest) is None


def test_evidence_of_two_runs_at_once_is_kept_once_and_the_first_stands(filled: Filled) -> None:
    filled.add(found=evidence(message="first"))
    filled.begin()
    filled.add(found=evidence(message="second"))
    assert filled.book.rows("SELECT count(*) FROM evidence") == [(1,)]
    assert known(filled.book, key().digest).tests[0].message == "first"


def test_evidence_that_was_asked_for_anew_stands_and_the_old_is_history(filled: Filled) -> None:
    filled.add(found=evidence(message="first"))
    filled.add(found=evidence(message="second"), anew=True)
    assert filled.book.rows("SELECT count(*) FROM evidence") == [(2,)]
    assert known(filled.book, key().digest).tests[0].message == "second"


def test_a_score_is_noted_when_it_changes(filled: Filled) -> None:
    for earned in (8.0, 8.0, 9.0, 8.0):
        filled.add(earned=earned)
    assert filled.book.rows("SELECT score FROM scores ORDER BY id") == [(8.0,), (9.0,), (8.0,)]


def test_what_has_no_score_of_the_whole_leaves_the_scores_alone(filled: Filled) -> None:
    filled.add(earned=None)
    assert filled.book.rows("SELECT count(*) FROM scores") == [(0,)]
    assert known(filled.book, key().digest)


@pytest.mark.parametrize("how", ["keep", "left"])
def test_of_the_same_files_copied_again_the_first_time_stands(filled: Filled, how: str) -> None:
    filled.add(at=dated(1000))
    if how == "keep":
        filled.add(at=dated(2000))
    else:
        keep_attempts(filled.book, filled.run, [(key(), dated(2000))])
    assert filled.book.rows("SELECT submitted, dated_by FROM attempts") == [(1000, "file")]


def test_what_is_handed_in_once_more_after_something_else_is_another_attempt(filled: Filled) -> None:
    for files, at in (("f1", 1000), ("f2", 2000), ("f1", 3000), ("f1", 4000)):
        filled.add(key(files=files), at=dated(at))
    assert filled.book.rows("SELECT submitted FROM attempts ORDER BY id") == [(1000,), (2000,), (3000,)]


def test_a_time_that_somebody_vouches_for_takes_the_place_of_a_files(filled: Filled) -> None:
    filled.add(at=dated(1000))
    keep_attempts(filled.book, filled.run, [(key(), dated(900, "roster"))])
    filled.add(at=dated(3000))
    assert filled.book.rows("SELECT submitted, dated_by FROM attempts") == [(900, "roster")]


def test_the_same_handed_in_twice_by_the_roster_is_two_attempts(filled: Filled) -> None:
    filled.add(at=dated(1000, "roster"))
    filled.add(at=dated(2000, "roster"))
    filled.add(at=dated(2000, "roster"))
    assert filled.book.rows("SELECT submitted FROM attempts ORDER BY 1") == [(1000,), (2000,)]


def test_what_the_last_evidence_was_found_with_is_told(filled: Filled) -> None:
    assert ground_before(filled.book, key()) is None
    filled.add()
    filled.begin("h", level="full")
    filled.add(key(ground="h", files="f2"))
    assert ground_before(filled.book, key()) == ({"level": "full"}, "f2")


def test_a_fault_of_ours_is_never_final() -> None:
    assert is_final(evidence())
    assert is_final(evidence(Status.TIMEOUT))
    assert not is_final(evidence(Status.GRADER_ERROR))
    assert not is_final(evidence().model_copy(update={"problem": "the disk is full"}))
    carried = {"needs": [], "status": "grader_error"}
    test = evidence().tests[0]
    with_carried = type(test).model_validate(test.model_dump() | {"carried": carried})
    assert not is_final(evidence().model_copy(update={"tests": [with_carried]}))
