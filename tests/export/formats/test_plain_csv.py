from __future__ import annotations

import csv
import io

import pytest

from grader.export.base import Options
from grader.export.formats import plain_csv
from tests.export import classes


def rows(grades):
    text = plain_csv.render(grades, Options()).text
    assert text.startswith("\ufeff")
    assert csv.Sniffer().sniff(text).delimiter == ","
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_what_each_assignment_and_exercise_counts_has_a_column(tmp_path):
    (row,) = rows(classes.exported(tmp_path, classes.two("ada", 4.9, 2.45)))
    assert row == {
        "id": "ada",
        "status": "failed",
        "score": "7.35",
        "points": "10.0",
        "toy": "7.35",
        "toy.double": "4.9",
        "toy.half": "2.45",
    }


def test_a_fault_of_ours_leaves_cells_empty_and_writes_no_0(tmp_path):
    (row,) = rows(classes.exported(tmp_path, classes.fault()))
    assert (row["score"], row["toy"], row["toy.double"], row["toy.half"]) == ("", "", "7.0", "")


def test_who_did_not_hand_in_but_has_something_that_counts_has_a_row(tmp_path):
    classes.exported(tmp_path, classes.two("ada", 4.9, 2.1))
    classes.counted(tmp_path, {"ada": 7.0}, '[[groups]]\nmembers = ["ada", "bo"]\n')
    assert [(row["id"], row["score"], row["status"]) for row in rows(classes.again(tmp_path))] == [
        ("ada", "7.0", "failed"),
        ("bo", "7.0", ""),
    ]


@pytest.mark.parametrize("name", ["=1+1", "+1", "@SUM(A1)", "-1", "x;=1"])
def test_no_id_is_a_formula(name, tmp_path):
    (row,) = rows(classes.exported(tmp_path, classes.two(name, 4.9, 2.45)))
    assert not row["id"].startswith(tuple("=+-@"))
    assert ";=" not in row["id"]
