"""A roster keeps all that it holds, and finds a student however a system spells them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from grader.intake.roster import Roster, Student, column_key, name_keys, read_roster
from grader.model.errors import UsageError


def roster(tmp_path: Path, text: str, encoding: str = "utf-8-sig") -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding=encoding)
    return read_roster(path)


def test_all_columns_are_kept_under_their_own_headings(tmp_path):
    found = roster(tmp_path, 'id,Email address,SIS Login ID,Section\nada,"a@x.edu",ada7,"B, 2"\n')
    [ada] = found.students
    assert ada.columns == {"id": "ada", "Email address": "a@x.edu", "SIS Login ID": "ada7", "Section": "B, 2"}
    assert found.headings == ("id", "Email address", "SIS Login ID", "Section")
    assert (ada.get("email"), ada.get("login"), ada.get("sis login id"), ada.get("section")) == (
        "a@x.edu",
        "ada7",
        "ada7",
        "B, 2",
    )
    assert ada.get("nothing") == ""


@pytest.mark.parametrize(
    ("heading", "key"),
    [
        ("id", "id"),
        ("Canvas-ID", "canvas_id"),
        (" Full name ", "name"),
        ("E-mail", "e_mail"),
        ("Email Address", "email"),
        ("SIS User ID", "sid"),
        ("github_username", "github"),
        ("\uff29\uff24", "id"),
    ],
)
def test_a_heading_may_be_spelled_as_other_systems_do(heading, key):
    assert column_key(heading) == key


def test_case_blanks_and_ways_to_write_an_accent_do_not_count(tmp_path):
    zoe = unicodedata.normalize("NFD", "Zo\u00eb")
    found = roster(tmp_path, f"id,email,name\nzoe , Zoe@X.edu ,{zoe} Ng\n")
    [student] = found.find("email", "zoe@x.EDU")
    assert student.id == "zoe"
    assert found.find("name", "ngzo\u00eb") == [student]
    assert found.find("email", "") == []
    assert found.find("nothing", "zoe") == []


@pytest.mark.parametrize(
    ("written", "squashed"),
    [
        ("Ada Lovelace", "lovelaceada"),
        ("Lovelace, Ada", "adalovelace"),
        ("Jean-Luc Picard", "picardjeanluc"),
        ("O'Brien, Miles Edward", "milesedwardobrien"),
        ("\u738b\u5c0f\u660e", "\u738b\u5c0f\u660e"),
    ],
)
def test_a_name_is_known_in_each_order_and_as_letters_alone(written, squashed):
    assert squashed in name_keys(written)


def test_a_name_of_no_letters_is_none():
    assert name_keys(" -,' ") == set()


def test_a_student_is_found_by_the_id_of_their_submission(tmp_path):
    found = roster(tmp_path, "id\nAda (1)\n")
    assert found.of("Ada %281%29") is found.students[0]
    assert found.of("ada") is None
    assert found.students[0].folder == "Ada %281%29"


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("name,when\nada,x\n", "no column id", None),
        ("", "no column id", None),
        ("id,Id\na,b\n", "two columns id", None),
        ("id,name\n,Ada\n", "a student has no id", 2),
        ("id\nada\nbo\nADA\n", "'ADA' is there twice: in line 2 too", 4),
        (f"id\n{'x' * 200_000}\n", "it is no CSV", 1),
        (f"id,{'x' * 200_000}\nada\n", "it is no CSV", 1),
    ],
)
def test_a_roster_of_another_form_is_refused_with_the_line(tmp_path, text, said, line):
    with pytest.raises(UsageError, match=said) as caught:
        roster(tmp_path, text)
    assert caught.value.line == line


@pytest.mark.parametrize("content", [b"id\n\xff\xfe\n", None])
def test_a_roster_that_cannot_be_read_is_told(tmp_path, content):
    path = tmp_path / "roster.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read"):
        read_roster(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_roster_may_be_saved_as_any_spreadsheet_does(tmp_path, encoding, delimiter, end):
    mark = "\ufeff" if encoding in ("utf-16-le", "utf-16-be") else ""
    rows = ["name|id", '"\u9673, \u5927\u6587"|chen', '"Ada; L"|ada', ""]
    (tmp_path / "r.csv").write_bytes((mark + end.join(rows).replace("|", delimiter)).encode(encoding))
    found = read_roster(tmp_path / "r.csv")
    assert [(each.id, each.get("name")) for each in found.students] == [
        ("chen", "\u9673, \u5927\u6587"),
        ("ada", "Ada; L"),
    ]


@pytest.mark.parametrize("inside", ["\n", "\r\n", "\u2028", "\x0b", "\x1c"])
def test_a_cell_with_an_end_of_line_stays_one_cell(tmp_path, inside):
    (tmp_path / "r.csv").write_bytes(f'id,name\nada,"Ada{inside}L"\nbo,Bo\n'.encode())
    found = read_roster(tmp_path / "r.csv")
    assert [(each.id, each.get("name")) for each in found.students] == [("ada", f"Ada{inside}L"), ("bo", "Bo")]


def test_a_row_may_be_shorter_or_longer_than_the_headings(tmp_path):
    found = roster(tmp_path, "id,name,email\nada\nbo,Bo,b@x,more,and more\n")
    assert [student.get("name") for student in found.students] == ["", "Bo"]


def test_a_student_may_be_made_of_an_id_alone():
    assert Student("ada").get("name") == ""
