"""Gradescope: partners, times, attempts, and what the metadata does not name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from grader.model.errors import UsageError
from tests.intake.sources.downloads import DOWNLOADS, METADATA, A, B

FILES = DOWNLOADS["gradescope"].files
YAML = "assignment_7_export/submission_metadata.yml"


def test_times_and_attempts_are_told(lay, collected):
    found = collected(lay(FILES, "zip")).by_id
    assert found["101"].origin.submitted == datetime(2026, 2, 3, 10, 11, 12, tzinfo=UTC)
    assert found["101"].origin.attempt == "the last of 3"
    assert found["101"].origin.who == ({"sid": ("101",), "email": ("ada@example.edu",), "name": ("Ada Lovelace",)},)
    assert found["102"].origin.attempt == ""


def test_both_partners_are_named(lay, collected):
    time = b"  :created_at: 2026-02-03 10"
    pair = METADATA.replace(time, b"  - :name: Di\n    :sid: '104'\n" + time)
    found = collected(lay({**FILES, YAML: pair}, "zip")).by_id["101"]
    assert [said["sid"] for said in found.origin.who] == [("101",), ("104",)]


def test_a_folder_that_the_metadata_does_not_name_is_a_submission_of_nobody_known(lay, collected):
    found = collected(lay({**FILES, "assignment_7_export/submission_99/attention.py": A}, "zip")).by_id["submission_99"]
    assert found.files == {"attention.py": A}
    assert found.origin.who == ()


def test_one_that_the_metadata_names_and_that_is_not_there_is_told(lay, collected):
    files = {name: content for name, content in FILES.items() if "submission_13" not in name}
    assert "submission_13 (in submission_metadata.yml, but not there)" in collected(lay(files, "zip")).told


def test_a_file_alone_may_be_a_submission(lay, collected):
    files = {"submission_metadata.yml": b"attention-1.py:\n  :submitters:\n  - :sid: '7'\n", "attention-1.py": B}
    assert collected(lay(files, "zip")).by_id["7"].files == {"attention.py": B}


def test_metadata_that_cannot_be_read_stops_rather_than_guesses(lay, collected):
    with pytest.raises(UsageError, match=r"submission_metadata\.yml cannot be read"):
        collected(lay({**FILES, YAML: b"- x"}, "zip"))
