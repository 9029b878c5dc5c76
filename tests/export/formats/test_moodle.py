"""By what Moodle's CSV import does with a file."""

from __future__ import annotations

import csv
import io

import pytest

from grader.export.base import Options
from grader.export.formats import moodle
from grader.model.errors import UsageError
from tests.export import classes


def rows(table):
    return list(csv.reader(io.StringIO(table.text)))


def made(tmp_path, roster, *reports, **options):
    return moodle.render(classes.exported(tmp_path, *reports), Options(roster=roster, column="Toy", **options))


def test_a_row_is_who_grade_and_feedback(tmp_path):
    table = made(tmp_path, {"ada": {"id": "ada", "email": "Ada@x.example", "idnumber": "007"}}, classes.wrong())
    assert rows(table) == [
        ["email", "idnumber", "Toy", "Toy feedback"],
        [
            *("Ada@x.example", "007", "4.9"),
            "toy.double: partial 4.9/7 (Your double adds 2.); toy.half: failed 0/3",
        ],
    ]


def test_who_has_no_score_has_no_row_for_an_empty_cell_would_delete_the_grade(tmp_path):
    roster = {name: {"email": name} for name in ("ada", "eve")}
    table = made(tmp_path, roster, classes.two("ada", 7.0, 3.0), classes.fault("eve"))
    assert [row[0] for row in rows(table)] == ["email", "ada"]


def test_who_is_not_in_the_roster_is_told(tmp_path):
    table = made(tmp_path, {"ada": {"email": "a"}}, classes.two("ada", 7.0, 3.0), classes.two("bo", 7.0, 3.0))
    assert len(rows(table)) == 2
    assert [each.partition(":")[0] for each in table.lost] == ["bo"]


@pytest.mark.parametrize("roster", [{}, {"ada": {"id": "ada"}}, {"ada": {"email": ""}}])
def test_without_a_roster_that_says_who_is_who_nothing_is_written(roster, tmp_path):
    with pytest.raises(UsageError) as caught:
        made(tmp_path, roster, classes.two("ada", 7.0, 3.0))
    assert "--roster" in caught.value.hint


def test_two_with_one_address_are_refused(tmp_path):
    roster = {name: {"email": "one@x.example"} for name in ("ada", "bo")}
    with pytest.raises(UsageError, match="have one email"):
        made(tmp_path, roster, classes.two("ada", 7.0, 3.0), classes.two("bo", 7.0, 3.0))


def test_an_identity_that_would_be_a_formula_is_refused_for_changed_it_would_be_nobody(tmp_path):
    with pytest.raises(UsageError, match="formula"):
        made(tmp_path, {"ada": {"idnumber": "+886"}}, classes.two("ada", 7.0, 3.0))


def test_more_than_the_points_is_told_for_moodle_stops_there(tmp_path):
    classes.exported(tmp_path, classes.two("ada", 7.0, 3.0))
    classes.counted(tmp_path, {"ada": 10.0}, "[students.ada]\nbonus = { toy = 2 }\n")
    table = moodle.render(classes.again(tmp_path), Options(roster={"ada": {"email": "a"}}))
    assert "ada has more than the points (12)" in table.notes[0]


def test_nothing_that_a_student_wrote_is_in_the_feedback(tmp_path):
    text = made(tmp_path, {"%3Dcmd": {"email": "e"}}, classes.hostile()).text
    assert "ada" not in text
    assert "img" not in text


def test_a_sniffer_finds_the_commas(tmp_path):
    roster = {name: {"email": f"{name}@x.example"} for name in ("ada", "bo")}
    table = made(tmp_path, roster, classes.two("ada", 7.0, 3.0), classes.two("bo", 7.0, 2.0))
    assert csv.Sniffer().sniff(table.text).delimiter == ","
    assert csv.Sniffer().has_header(table.text)
