from __future__ import annotations

import pytest

from grader.batch.summary_files import write_summary
from grader.model.errors import GraderError
from grader.model.report import Summary
from tests.graded.test_summary_csv import row, summary


@pytest.fixture(autouse=True)
def page(monkeypatch, tmp_path):
    """The page of the workflow that a run is in."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "page.md"))
    return tmp_path / "page.md"


def test_a_class_is_written_for_programs_and_for_spreadsheets(monkeypatch, tmp_path):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    write_summary(tmp_path / "out", summary(row("ann")))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"summary.json", "summary.csv"}
    assert Summary.model_validate_json((tmp_path / "out" / "summary.json").read_bytes()) == summary(row("ann"))
    assert '"ann"' in (tmp_path / "out" / "summary.csv").read_text("utf-8")


def test_in_a_workflow_it_is_added_to_the_page(page, tmp_path):
    page.write_text("before\n", encoding="utf-8")
    write_summary(tmp_path / "out", summary(row("ann")))
    assert page.read_text("utf-8").startswith("before\n1 graded")
    assert "| `ann` |" in page.read_text("utf-8")


def test_a_page_that_cannot_be_written_is_told_and_the_files_are_there(page, tmp_path):
    page.mkdir()
    with pytest.raises(GraderError, match="cannot be written") as caught:
        write_summary(tmp_path / "out", summary(row("ann")))
    assert caught.value.where == page
    assert (tmp_path / "out" / "summary.csv").exists()
