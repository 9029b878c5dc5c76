from __future__ import annotations

import csv
import io

import pytest

from grader.graded.summary_csv import as_csv
from grader.model.report import Summary, SummaryRow
from grader.model.verdict import Status


def row(student: str, score: float | None = 1.5, **exercises: Status) -> SummaryRow:
    status = Status.GRADER_ERROR if score is None else Status.FAILED
    named = {f"toy.{name}": found for name, found in exercises.items()}
    return SummaryRow(
        id=student, status=status, score=score, points=10.0, exercises=named, report=f"{student}/report.json"
    )


def summary(*rows: SummaryRow) -> Summary:
    return Summary(
        grader_version="0",
        assignments=["toy"],
        points=10.0,
        graded=len(rows),
        grader_errors=sum(each.score is None for each in rows),
        mean=1.5,
        submissions=list(rows),
        timings={},
    )


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def test_each_submission_is_a_row_and_each_exercise_a_column():
    found = read(as_csv(summary(row("ann", a=Status.PASSED), row("\u738b", b=Status.TIMEOUT))))
    assert found == [
        ["id", "status", "score", "points", "toy.a", "toy.b"],
        ["ann", "failed", "1.5", "10.0", "passed", ""],
        ["\u738b", "failed", "1.5", "10.0", "", "timeout"],
    ]


def test_a_fault_of_ours_is_an_empty_score_and_no_zero():
    assert read(as_csv(summary(row("ann", None))))[1][:3] == ["ann", "grader_error", ""]


def test_numbers_are_not_in_quotes_and_text_is():
    assert as_csv(summary(row("ann"))).splitlines()[1] == '"ann","failed",1.5,10.0'


def test_a_spreadsheet_is_told_that_it_is_utf_8():
    assert as_csv(summary()).encode().startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", '"\n=1+1', "a\r\n=1", "@SUM(A1)", "+1", "\t=1", 'x";=1+1'])
def test_no_id_is_a_formula_or_another_row(name):
    found = read(as_csv(summary(row(name))))
    assert len(found) == 2
    assert len(found[1]) == 4
    assert found[1][0][0] not in "=+-@\t\r"
