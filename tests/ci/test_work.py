from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.ci.work import work_in
from grader.course.locate import load_assignments
from grader.model.errors import UsageError
from tests.conftest import ROOT


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "student_template").mkdir()
    return tmp_path


def test_work_lies_in_the_repository_or_in_its_templates(place: Path) -> None:
    for file in ("masking.py", "student_template/attention.py"):
        (place / file).touch()
    found = work_in(place, load_assignments(ROOT, []), [])
    # One that takes a file of another assignment is there with it.
    where = {each.assignment.id: (each.folder, each.prefix) for each in found}
    assert where["masking"] == (place, "")
    assert where["attention"] == (place / "student_template", "student_template/")
    assert "positions" not in where
    assert not any(each.asked for each in found)


def test_what_is_asked_for_must_be_there(place: Path) -> None:
    (place / "masking.py").touch()
    [found] = work_in(place, load_assignments(ROOT, ["masking"]), ["masking"])
    assert found.asked
    with pytest.raises(UsageError, match=r"no file of attention[^,]*is here"):
        work_in(place, load_assignments(ROOT, ["masking", "attention"]), ["masking", "attention"])


def test_a_repository_without_work_is_told_what_would_be_some(place: Path) -> None:
    with pytest.raises(UsageError, match="no file of attention, ") as raised:
        work_in(place, load_assignments(ROOT, []), [])
    assert "attention.py" in raised.value.hint


def test_a_folder_that_leads_elsewhere_is_refused(place: Path) -> None:
    shutil.rmtree(place / "student_template")
    (place / "student_template").symlink_to(ROOT / "reference")
    with pytest.raises(UsageError, match="is a link"):
        work_in(place, load_assignments(ROOT, ["masking"]), [])
