"""By what Canvas's importer does with a file."""

from __future__ import annotations

import csv
import io

import pytest

from grader.export.base import Options
from grader.export.formats import canvas
from grader.model.errors import UsageError
from tests.export import classes
from tests.export.formats.canvas_import import Course

HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,Toy (901),Other (77)\n"
POINTS = "    Points Possible,,,,,10.0,5\n"


def gradebook(tmp_path, *rows, head=HEAD + POINTS):
    path = tmp_path / "canvas.csv"
    path.write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def filled(tmp_path, path, *scores, **options):
    grades = classes.exported(tmp_path, *(classes.two(name, score, 0.0) for name, score in scores))
    return canvas.render(grades, Options(into=path, column="Toy (901)", **options))


def rows(table, delimiter=","):
    return list(csv.reader(io.StringIO(table.text), delimiter=delimiter))


def test_only_the_one_column_is_written_so_that_others_stay_as_they_are_by_now(tmp_path):
    table = filled(tmp_path, gradebook(tmp_path, '"Lovelace, Ada",11,s1,ada,S1,,3'), ("ada", 6.5))
    assert rows(table) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Toy (901)"],
        ["    Points Possible", "", "", "", "", "10.0"],
        ["Lovelace, Ada", "11", "s1", "ada", "S1", "6.50"],
    ]
    assert table.lost == []
    assert table.notes == []


def test_who_has_no_new_score_keeps_the_cell(tmp_path):
    path = gradebook(tmp_path, "Eve,12,s2,eve,S1,3.25,", "Test,13,,,S1,4,", "Bo,14,s4,bo,S1,EX,")
    grades = classes.exported(tmp_path, classes.fault("eve"), classes.two("bo", 7.0, 3.0))
    table = canvas.render(grades, Options(into=path, column="Toy"))
    assert [row[-1] for row in rows(table)[2:]] == ["3.25", "4", "10.00"]


def test_who_is_excused_is_excused_there(tmp_path):
    path = gradebook(tmp_path, "Ada,11,s1,ada,S1,,")
    classes.exported(tmp_path, classes.two("ada", 7.0, 3.0))
    classes.counted(tmp_path, {"ada": 10.0}, '[students.ada]\nexcused = ["toy"]\n')
    table = canvas.render(classes.again(tmp_path), Options(into=path, column="Toy"))
    assert rows(table)[-1][-1] == "EX"


@pytest.mark.parametrize("name", ["Toyy (901)", "Toy (902)", "Final Score", None])
def test_no_column_that_is_not_there_is_ever_written(name, tmp_path):
    path = gradebook(tmp_path, "Ada,11,s1,ada,S1,,")
    with pytest.raises(UsageError) as caught:
        canvas.render(classes.exported(tmp_path, classes.two("ada", 7.0, 3.0)), Options(into=path, column=name))
    assert "'Toy (901)'" in caught.value.hint


def test_a_student_is_found_by_what_the_roster_says(tmp_path):
    path = gradebook(tmp_path, "A,11,s1,l1,S,,", "B,12,s2,l2,S,,", "C,13,s3,c@x.example,S,,")
    roster = {"a": {"canvasid": "11"}, "b": {"idnumber": "s2"}, "c": {"email": "c@x.example"}}
    table = filled(tmp_path, path, ("a", 1.0), ("b", 2.0), ("c", 3.0), roster=roster)
    assert [row[-1] for row in rows(table)[2:]] == ["1.00", "2.00", "3.00"]


def test_like_is_compared_with_like_so_that_a_number_is_nobody_elses(tmp_path):
    path = gradebook(tmp_path, "A,11,12,l1,S,,", "B,12,s2,l2,S,,")
    table = filled(tmp_path, path, ("a", 1.0), roster={"a": {"idnumber": "12"}})
    assert [row[-1] for row in rows(table)[2:]] == ["1.00", ""]


def test_a_login_that_is_no_folder_name_is_found_by_the_folder_that_was_made_of_it(tmp_path):
    table = filled(tmp_path, gradebook(tmp_path, "Ada,11,s1,ada@x.example,S1,,"), ("ada%40x.example", 6.5))
    assert rows(table)[-1][-1] == "6.50"


def test_who_is_not_there_is_told(tmp_path):
    table = filled(tmp_path, gradebook(tmp_path, "Ada,11,s1,ada,S1,,"), ("ada", 1.0), ("bo", 2.0))
    assert [each.partition(":")[0] for each in table.lost] == ["bo"]


@pytest.mark.parametrize(
    ("roster", "message"),
    [
        ({"a": {"idnumber": "s1", "login": "l2"}}, "may be any of the rows 3, 4"),
        ({"a": {"login": "l1"}, "b": {"login": "l1"}}, "another's too"),
    ],
)
def test_where_it_is_not_clear_who_is_who_nothing_is_written(roster, message, tmp_path):
    path = gradebook(tmp_path, "A,11,s1,l1,S,,", "B,12,s2,l2,S,,")
    with pytest.raises(UsageError, match=message):
        filled(tmp_path, path, ("a", 1.0), ("b", 1.0), roster=roster)


def test_rows_of_canvas_itself_and_its_delimiter_and_mark_stay(tmp_path):
    path = tmp_path / "canvas.csv"
    head = "Student;ID;SIS Login ID;Section;Toy (901)"
    path.write_text(f"\ufeff{head}\n;;;;Manual Posting\nPoints Possible;;;;10,0\nAda;11;ada;S1;6,5\n", encoding="utf-8")
    table = filled(tmp_path, path, ("ada", 2.25))
    assert table.text == f"\ufeff{head}\r\n;;;;Manual Posting\r\nPoints Possible;;;;10,0\r\nAda;11;ada;S1;2.25\r\n"
    assert table.notes == []


def test_other_points_than_ours_are_told(tmp_path):
    head = HEAD + POINTS.replace("10.0", "100")
    table = filled(tmp_path, gradebook(tmp_path, "Ada,11,s1,ada,S1,,", head=head), ("ada", 1.0))
    assert table.notes == ["Toy (901) is out of 100 in Canvas, and out of 10 here"]


def test_a_name_is_no_formula_and_what_a_row_is_found_by_stays(tmp_path):
    path = gradebook(tmp_path, "=1+1,11,-s1,ada,@S1,,")
    assert rows(filled(tmp_path, path, ("ada", 1.0)))[-1][:5] == ["'=1+1", "11", "-s1", "ada", "'@S1"]


def test_without_a_gradebook_of_canvas_it_is_said_what_to_give(tmp_path):
    with pytest.raises(UsageError) as caught:
        canvas.render([], Options())
    assert "--into" in caught.value.hint


def test_canvas_takes_the_scores_and_nothing_else_changes(tmp_path):
    students = {"11": "ada", "12": "eve", "13": "zoe"}
    course = Course(
        students, {"901": "Toy", "77": "Other"}, {("11", "77"): "3", ("12", "901"): "4", ("13", "901"): "5"}
    )
    exported = [f"{name},{number},s{number},{name},S1,," for number, name in students.items()]
    path = gradebook(tmp_path, exported[0], exported[1].replace("S1,,", "S1,4,"), exported[2].replace("S1,,", "S1,5,"))
    course.scores["11", "77"] = "3.5"  # graded there since
    course.take(filled(tmp_path, path, ("ada", 6.5)).text)
    assert course.made == []
    assert course.points == {"901": "10.0"}
    assert course.scores == {("11", "901"): "6.50", ("11", "77"): "3.5", ("12", "901"): "4", ("13", "901"): "5"}
