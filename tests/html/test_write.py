"""Pages lie beside the reports, each a file of its own."""

from __future__ import annotations

import pytest

from grader.graded.read import read_class
from grader.html.told import told
from grader.html.write import write_pages
from grader.model.errors import GraderError, UsageError
from tests.graded import made
from tests.html import hostile


def files(folder) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*.html")}


def test_a_page_for_each_student_and_one_for_the_class_lie_beside_the_reports(tmp_path):
    made.folder(tmp_path, made.report("ada"), made.report("bo"))
    written = write_pages(read_class(tmp_path), tmp_path)
    assert files(tmp_path) == {"index.html", "ada/report.html", "bo/report.html"}
    assert (written.students, written.withheld, written.index) == (2, (), tmp_path / "index.html")


def test_another_folder_is_made_and_holds_nothing_else(tmp_path):
    made.folder(tmp_path / "scores", made.report("ada"))
    write_pages(read_class(tmp_path / "scores"), tmp_path / "pages" / "new")
    assert files(tmp_path) == {"pages/new/index.html", "pages/new/ada/report.html"}
    assert [*(tmp_path / "pages" / "new" / "ada").iterdir()] == [tmp_path / "pages/new/ada/report.html"]


def test_pages_for_students_alone_leave_out_the_class(tmp_path):
    made.folder(tmp_path, made.report("ada"))
    written = write_pages(read_class(tmp_path), tmp_path, students_only=True)
    assert files(tmp_path) == {"ada/report.html"}
    assert list(told(written, tmp_path)) == [f"1 page of students: {tmp_path}/STUDENT/report.html"]


def test_the_same_reports_give_the_same_pages(tmp_path):
    hostile.folder(tmp_path)
    write_pages(read_class(tmp_path), tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
    write_pages(read_class(tmp_path), tmp_path)
    assert before == {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}


def test_the_language_that_is_shown_first_can_be_chosen(tmp_path):
    made.folder(tmp_path, made.report("ada"))
    write_pages(read_class(tmp_path), tmp_path, language="zh-TW")
    for name in files(tmp_path):
        page = (tmp_path / name).read_text("utf-8")
        assert '<html lang="zh-TW">' in page
        assert 'id="in-zh" checked' in page


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path):
    made.folder(tmp_path, made.report("ada"))
    (tmp_path / "pages").write_text("")
    with pytest.raises(GraderError, match="cannot be written"):
        write_pages(read_class(tmp_path), tmp_path / "pages")


def test_where_nothing_was_graded_nothing_is_written(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        write_pages(read_class(tmp_path), tmp_path)
    assert files(tmp_path) == set()
