"""What Gradescope writes is read, and nothing that a program printed passes for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from grader.intake.sources.metadata import NotSuchYamlError, records, scalar
from tests.intake.sources.downloads import METADATA


def test_students_times_and_earlier_attempts_are_read():
    ada, bo, cy = records(METADATA.decode())
    assert ada.submitters == [{"name": "Ada Lovelace", "sid": "101", "email": "ada@example.edu"}]
    assert ada.created_at == datetime(2026, 2, 3, 10, 11, 12, tzinfo=UTC)
    assert (ada.before, bo.before) == (2, 0)
    assert bo.submitters[0]["name"] == "Bo \u674e"
    assert bo.created_at == datetime(2026, 2, 3, 20, 11, 12, tzinfo=timezone(timedelta(hours=8)))
    assert (cy.submitters[0]["sid"], cy.created_at) == ("", None)


def test_what_a_program_printed_is_no_student():
    assert [record.name for record in records(METADATA.decode())] == ["submission_11", "submission_12", "submission_13"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ada", "Ada"),
        ("'O''Brien: x'", "O'Brien: x"),
        (r'"a\"b"', 'a"b'),
        (r'"a\\"', "a\\"),
        (r'"a\"', ""),
        (r'"a\u674eb\x41\n"', "a\u674ebA\n"),
        ("~", ""),
        ("null", ""),
        ("", ""),
        ("'open", ""),
        ('"open', ""),
        ('"a" b"', ""),
        ("'", ""),
        (r'"\UFFFFFFFF"', chr(0x10FFFF)),
    ],
)
def test_values_are_those_of_the_language(text, value):
    assert scalar(text) == value


@pytest.mark.parametrize("text", ["[1, 2]", "  :name: x", "hello\n"])
def test_another_file_is_refused(text):
    with pytest.raises(NotSuchYamlError):
        records(text)


def test_a_line_without_end_is_passed_over():
    long = "    :name: " + "x" * 1_000_000
    assert records(f"submission_1:\n  :submitters:\n{long}\n")[0].submitters == []
