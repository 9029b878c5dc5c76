"""A download of a course's system is graded as it came, each student's under the id of the roster."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.toy import toy_course
from tests.sample_class import CLASS, differences

RIGHT, WRONG = "def double(x):\n    return 2 * x\n", "def double(x):\n    return 3 * x\n"


def lay(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def summary_of(out: Path) -> dict:
    return json.loads((out / "summary.json").read_text("utf-8"))


def test_a_zip_from_canvas_is_graded_with_a_roster(grade, tmp_path, course):
    names = {
        "ada": "lovelaceada_101_9001_attention.py",
        "lucia": "kayalucia_LATE_102_9002_attention-1.py",
        "jun": "satojun_103_9003_attention.py",
    }
    files = {name: (CLASS / student / "attention.py").read_bytes() for student, name in names.items()}
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as archive:
        for name, content in [*files.items(), ("readme.txt", b"x")]:
            archive.writestr(name, content)
    roster = "id,name,canvas_id\nada,Ada Lovelace,101\nlucia,Lucia Kaya,\njun,Jun Sato,103\nzo\u00eb,Zo\u00eb Ng,104\n"
    (tmp_path / "roster.csv").write_text(roster, encoding="utf-8")
    out = tmp_path / "out"
    ran = grade(tmp_path / "submissions.zip", "-a", "attention", "--out", out, "--roster", tmp_path / "roster.csv")
    assert ran.returncode == 0, ran.stderr
    assert [change for student in names for change in differences(out, student)] == []
    assert (
        "submissions.zip is read as a download from canvas, for the names of its files, such as kayalucia" in ran.stderr
    )
    assert "on the roster and without a submission: zo\u00eb" in ran.stderr
    assert "marked late where they come from, which decides nothing here: lucia" in ran.stderr
    assert "nothing tells when these were handed in" in ran.stderr
    report = json.loads((out / "jun" / "report.json").read_text("utf-8"))
    assert report["submission"]["source"] == "submissions.zip: satojun_103"
    found = summary_of(out)
    assert (found["left_out"], found["unmatched"], found["absent"]) == (["readme.txt"], [], ["zo\u00eb"])


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return toy_course(tmp_path / "course")


METADATA = """---
submission_1:
  :submitters:
  - :name: Ada
    :sid: '1'
  - :name: Bo
    :sid: '2'
  :created_at: 2026-02-03 10:11:12.5 Z
submission_2:
  :submitters:
  - :name: Stranger
    :sid: '9'
  :created_at: 2026-02-03 10:11:12.5 Z
"""


def test_partners_strangers_and_times_of_a_gradescope_export_reach_reports_and_gradebook(grade, toy, tmp_path):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": 1}
    cells = [{**cell, "source": WRONG}, {**cell, "id": "b", "source": f"{RIGHT}print(double(2))"}]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    export = lay(
        tmp_path / "export",
        {"submission_metadata.yml": METADATA, "submission_1/homework.ipynb": notebook, "submission_2/toy.py": WRONG},
    )
    (tmp_path / "roster.csv").write_text("id,sid\nada,1\nbo,2\n")
    out = tmp_path / "out"
    ran = grade(export, "-a", "toy", "--out", out, "--roster", tmp_path / "roster.csv", cwd=toy)
    assert ran.returncode == 0, ran.stderr
    assert "handed in together, and graded for each of them: ada + bo" in ran.stderr
    assert "and graded under what they are called: 9" in ran.stderr
    assert {row["id"]: row["score"] for row in summary_of(out)["submissions"]} == {"9": 0.0, "ada": 10.0, "bo": 10.0}
    student = json.loads((out / "ada" / "report.student.json").read_text("utf-8"))
    assert [problem["message"] for problem in student["problems"]] == [
        "double is defined 2 times, in cells 1 and 2: the last one counts",
        "left out of toy.py: cell 2, line 3",
        "it was read as toy.py: lines 5 to 7 are cell 1; lines 10 to 12 are cell 2",
    ]
    with sqlite3.connect(out / "gradebook.db") as book:
        dated = book.execute("SELECT DISTINCT submitted, dated_by FROM attempts").fetchall()
    book.close()
    assert dated == [(1770113472, "source")]


def test_a_download_that_may_be_anything_is_a_usage_error_and_nothing_is_graded(grade, toy, tmp_path):
    both = lay(tmp_path / "both", {"submission_metadata.yml": METADATA, "a_1_2_toy.py": RIGHT, "b_3_4_toy.py": RIGHT})
    ran = grade(both, "-a", "toy", "--out", tmp_path / "out", cwd=toy)
    assert ran.returncode == 2
    assert "hint: say which with --source" in ran.stderr
    assert not (tmp_path / "out").exists()
