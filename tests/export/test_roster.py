from __future__ import annotations

import pytest

from grader.export.roster import columns_of, heading_key
from grader.model.errors import UsageError


def roster(tmp_path, text):
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode())
    return columns_of(path)


def test_a_student_has_what_stands_in_their_columns(tmp_path):
    found = roster(tmp_path, '\ufeffid,Email,SIS Login ID\nada,a@x.example, l1 \n"bo ",,\n')
    assert found == {
        "ada": {"id": "ada", "email": "a@x.example", "sisloginid": "l1"},
        "bo": {"id": "bo", "email": "", "sisloginid": ""},
    }


def test_an_id_is_what_intake_makes_of_it(tmp_path):
    assert list(roster(tmp_path, "id\na@x.example\n")) == ["a%40x.example"]


def test_canvas_own_id_beside_ours_is_another(tmp_path):
    assert roster(tmp_path, "ID,id\n11,ada\n") == {"ada": {"id": "ada", "canvasid": "11"}}


def test_names_of_columns_are_read_as_people_write_them():
    assert heading_key("SIS Login ID") == heading_key("sis_login_id") == heading_key("SIS-login-ID ")


@pytest.mark.parametrize("text", ["", "name\nada\n"])
def test_a_roster_without_a_column_id_is_refused(text, tmp_path):
    with pytest.raises(UsageError, match="no column id"):
        roster(tmp_path, text)


@pytest.mark.parametrize("text", ["id,id\nada,bo\n", "id,E-Mail,email\nada,a,b\n"])
def test_two_columns_of_a_name_are_refused(text, tmp_path):
    with pytest.raises(UsageError, match="two columns"):
        roster(tmp_path, text)


def test_a_student_who_is_there_twice_is_told_with_the_line(tmp_path):
    with pytest.raises(UsageError, match="twice") as caught:
        roster(tmp_path, "id\nada\nada\n")
    assert caught.value.line == 3


def test_a_roster_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        columns_of(tmp_path / "none.csv")


def test_short_and_long_lines_are_no_other_students(tmp_path):
    assert roster(tmp_path, "id,email\nada\nbo,b,more\n") == {
        "ada": {"id": "ada", "email": ""},
        "bo": {"id": "bo", "email": "b"},
    }
