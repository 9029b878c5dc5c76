from __future__ import annotations

from datetime import UTC, datetime

import pytest

from grader.gradebook.deciding import release
from grader.gradebook.runs import note_facts
from grader.graded.read import read_class
from grader.model.errors import UsageError
from tests.gradebook.toy import Filled
from tests.graded import made


def test_every_report_is_read_in_the_order_of_the_ids(tmp_path):
    made.folder(tmp_path, made.report("bo"), made.report("ada", made.exercise(score=4.0)))
    found = list(read_class(tmp_path))
    assert [(each.row.id, each.report.submission.id, each.report.score) for each in found] == [
        ("ada", "ada", 4.0),
        ("bo", "bo", 10.0),
    ]
    assert found[0].counted is None


def test_what_the_gradebook_counts_stands_beside_the_report(tmp_path):
    made.folder(tmp_path, made.report("ada", made.exercise(score=8.0)), made.report("bo"))
    filled = Filled(tmp_path / "gradebook.db")
    filled.add()
    with filled.book:
        note_facts(filled.book, {"assignment toy": {"exercises": {"toy.double": {"points": 10.0}}}})
    (tmp_path / "policy.toml").write_text("[assignments.toy]\ncap = 5\n", encoding="utf-8")
    ada, bo = read_class(tmp_path)
    assert ada.counted is not None
    assert float(ada.counted.total.score) == 5.0
    assert bo.counted is None


def test_a_folder_in_which_nothing_was_graded_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be read") as caught:
        read_class(tmp_path)
    assert "--out" in caught.value.hint


def test_a_report_that_is_gone_is_told_with_its_place(tmp_path):
    made.folder(tmp_path, made.report("ada"))
    (tmp_path / "ada" / "report.json").unlink()
    with pytest.raises(UsageError, match="cannot be read") as caught:
        list(read_class(tmp_path))
    assert caught.value.where == tmp_path / "ada" / "report.json"


def test_a_report_of_another_version_is_told_with_what_does_not_fit(tmp_path):
    made.folder(tmp_path, made.report("ada"))
    (tmp_path / "ada" / "report.json").write_text('{"schema_version": 9}', encoding="utf-8")
    with pytest.raises(UsageError, match="is no report of this version of the grader: schema_version"):
        list(read_class(tmp_path))


def test_all_is_released_until_a_policy_or_a_release_by_hand_says_which(tmp_path):
    made.folder(tmp_path, made.report("ada"), made.report("bo", made.exercise("doll.walk")))
    filled = Filled(tmp_path / "gradebook.db")
    with filled.book:
        facts = {"exercises": {"toy.double": {"points": 10.0}}}
        note_facts(filled.book, {"assignment toy": facts, "assignment doll": facts})
        assert released(tmp_path) == {"toy", "doll"}
        release(filled.book, "toy", "eva", 5)
    assert released(tmp_path) == {"toy"}


def test_with_a_policy_what_it_does_not_release_is_held_back(tmp_path):
    made.folder(tmp_path, made.report("ada"))
    filled = Filled(tmp_path / "gradebook.db")
    with filled.book:
        note_facts(filled.book, {"assignment toy": {"exercises": {"toy.double": {"points": 10.0}}}})
    (tmp_path / "policy.toml").write_text("[assignments.toy]\nrelease = 2026-01-02T00:00:00Z\n", encoding="utf-8")
    early, late = (datetime(2026, 1, day, 12, tzinfo=UTC).timestamp() for day in (1, 2))
    assert released(tmp_path, early) == frozenset()
    assert released(tmp_path, late) == {"toy"}


def released(folder, now=None):
    found = read_class(folder, now=now).counted
    return found and found.released
