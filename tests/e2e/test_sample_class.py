"""The sample class is graded as its expected verdicts say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sample_class import CLASS, differences, students


def test_there_are_nineteen_kinds() -> None:
    assert len(students()) == 19


# The gate grades the class too, as its last step.
@pytest.mark.slow
def test_every_verdict_is_as_expected(grade, tmp_path: Path) -> None:
    ran = grade(CLASS, "-a", "attention", "--out", tmp_path / "out")
    assert ran.returncode == 0, ran.stderr
    assert [difference for student in students() for difference in differences(tmp_path / "out", student)] == []


@pytest.mark.parametrize("student", students())
def test_a_submission_says_what_kind_it_is(student: str) -> None:
    assert "kind" in (CLASS / student / "expected.toml").read_text("utf-8")
