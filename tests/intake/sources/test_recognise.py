"""A download is never taken for one of another system, and what may be of two is not guessed."""

from __future__ import annotations

import pytest

from grader.intake.sources.registry import SOURCES
from grader.model.errors import UsageError
from tests.intake.sources.downloads import DOWNLOADS, A


def test_what_may_be_of_two_systems_is_refused_and_either_can_be_said(lay, collected):
    top = lay({**DOWNLOADS["canvas"].files, "submission_metadata.yml": b"x:\n"}, "zip")
    with pytest.raises(UsageError, match=r"it may be from canvas \(for .*\) or gradescope") as caught:
        collected(top)
    assert caught.value.hint == "say which with --source"
    assert "lovelaceada_101" in collected(top, "canvas").by_id


@pytest.mark.parametrize("name", SOURCES)
def test_a_download_may_lie_in_a_folder_of_its_own(lay, collected, name):
    files = {f"hw/{path}": content for path, content in DOWNLOADS[name].files.items()}
    assert {each.origin.source for each in collected(lay(files, "folder")).submissions} == {name}


def test_a_folder_of_anything_is_read_as_before(lay, collected):
    found = collected(lay({"ada/attention.py": A, "bo_1/attention.py": A, "notes.txt": b""}, "folder"))
    assert ([each.origin.source for each in found.submissions], found.said) == (["folder", "folder"], [])
    assert found.by_id["ada"].origin.who[0]["email"] == ("ada",)


def test_a_download_can_be_read_as_a_folder_of_anything(lay, collected):
    found = collected(lay(DOWNLOADS["classroom"].files, "folder"), "folder")
    assert list(found.by_id) == ["hw-1-ada", "hw-1-bo-li", "hw-1-cy"]
