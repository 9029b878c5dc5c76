"""Whatever a student is called, their reports lie in a folder of their own, directly in --out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.batch.command import _chosen
from grader.batch.folder import SHEET, SUMMARY, write_report
from grader.gradebook.book import FILE_NAME as GRADEBOOK
from grader.intake.names import collision_key
from grader.model.errors import UsageError
from tests.batch.test_run import report, submissions
from tests.escape.enemy import TEXT

HOSTILE = [
    "..",
    ".",
    "../../x",
    "/etc/passwd",
    "C:\\x",
    "a/../b",
    "~",
    "CON",
    SUMMARY,
    SHEET.upper(),
    GRADEBOOK,
    f"{GRADEBOOK}-wal",
    "a\x00b",
    "-rf",
    "",
]


@given(TEXT)
@example("../../x")
@example("/etc/passwd")
def test_the_student_of_the_command_line_names_a_plain_folder(student):
    (only,) = _chosen(submissions("handed_in"), [student])
    assert Path("out", only.id).parent == Path("out")
    assert Path(only.id).name == only.id


@pytest.mark.parametrize("student", HOSTILE)
def test_reports_lie_directly_in_out_whatever_the_student_is_called(tmp_path, student):
    out = tmp_path / "out"
    (only,) = _chosen(submissions("handed_in"), [student])
    write_report(out, report(only.id))
    assert [path.parent.parent for path in tmp_path.rglob("report.json")] == [out]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@given(st.sets(TEXT | st.sampled_from(HOSTILE), min_size=2, max_size=6))
def test_no_two_students_share_a_folder_unless_they_are_refused_for_it(students):
    ids = [_chosen(submissions("handed_in"), [student])[0].id for student in students]
    assert len(set(ids)) == len(students)
    assert not {collision_key(each) for each in ids} & {
        SUMMARY,
        SHEET,
        GRADEBOOK,
        f"{GRADEBOOK}-wal",
        f"{GRADEBOOK}-shm",
    }


def test_a_student_is_found_by_the_name_of_the_folder_and_by_the_id():
    found = submissions("Ada %281%29", "bo")
    assert _chosen(found, ["Ada (1)"]) == _chosen(found, ["Ada %281%29"]) == found[:1]


def test_a_student_who_handed_in_nothing_is_a_usage_error():
    with pytest.raises(UsageError, match="no submission of 'adah'") as caught:
        _chosen(submissions("ada", "bo"), ["adah"])
    assert "'ada'" in caught.value.hint


def test_several_students_are_graded_together_each_once():
    found = submissions("ada", "bo", "cy")
    assert _chosen(found, ["cy", "ada", "cy"]) == [found[0], found[2]]


def test_one_unknown_student_of_several_is_a_usage_error():
    with pytest.raises(UsageError, match="no submission of 'dee'"):
        _chosen(submissions("ada", "bo"), ["ada", "dee"])
    with pytest.raises(UsageError, match="no submission of 'dee'"):
        _chosen(submissions("ada"), ["ada", "dee"])
