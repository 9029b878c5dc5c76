"""nbgrader: times with their zones, and the assignments that are asked for."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from grader.model.errors import UsageError
from tests.intake.sources.downloads import DOWNLOADS, A, B

FILES = DOWNLOADS["nbgrader"].files


def test_times_are_read_with_the_zone_that_they_name(lay, collected):
    found = collected(lay(FILES, "zip")).by_id
    assert found["ada"].origin.submitted == datetime(2026, 2, 3, 10, 11, 12, 123456, tzinfo=UTC)
    assert found["bo"].origin.submitted == datetime(2026, 2, 3, 18, 11, 12, tzinfo=ZoneInfo("Asia/Taipei"))
    assert found["cy"].origin.submitted is None


def test_a_tree_is_known_from_above_and_from_within(lay, collected):
    top = lay(FILES, "folder")
    assert list(collected(top).by_id) == list(collected(top / "submitted").by_id) == ["ada", "bo", "cy"]


def test_a_class_that_happens_to_lie_in_a_folder_of_that_name_is_a_class(lay, collected):
    files = {"submitted/ada/attention.py": A, "submitted/ada/data/x.csv": b"", "submitted/bo/attention.py": B}
    found = collected(lay(files, "folder") / "submitted")
    assert {name: each.files["attention.py"] for name, each in found.by_id.items()} == {"ada": A, "bo": B}
    assert {each.origin.source for each in found.submissions} == {"folder"}


def test_the_assignment_that_is_asked_for_is_taken_and_another_is_told(lay, collected):
    assert "ada/masking/" in collected(lay(FILES, "zip")).told.split("\n")


def test_of_several_assignments_none_is_guessed(lay, collected):
    files = {"submitted/ada/hw1/attention.py": A, "submitted/ada/hw2/attention.py": B}
    with pytest.raises(UsageError, match="2 assignments, and none is called attention") as caught:
        collected(lay(files, "zip"))
    assert "hw1, hw2" in caught.value.hint


def test_the_only_assignment_may_be_called_anything(lay, collected):
    assert collected(lay({"submitted/ada/hw1/attention.py": A}, "zip")).by_id["ada"].files == {"attention.py": A}


def test_what_a_student_left_beside_the_assignments_is_told(lay, collected):
    files = {**FILES, "submitted/ada/attention.py": b"loose", "submitted/dan/attention.py": b"lost"}
    told = collected(lay(files, "zip")).told.split("\n")
    assert {"ada/attention.py", "dan/attention.py"} <= set(told)
