from __future__ import annotations

import pytest

from grader.export.canvas_sheet import read_canvas
from grader.model.errors import UsageError

HEAD = "Student,ID,SIS Login ID,Section"


def sheet(tmp_path, text):
    path = tmp_path / "canvas.csv"
    path.write_bytes(text.encode())
    return read_canvas(path)


def test_a_column_is_found_by_its_name_with_or_without_the_number(tmp_path):
    found = sheet(tmp_path, f"{HEAD},Toy (1),Toy two (2)\n")
    assert found.column("Toy two (2)") == found.column("Toy two") == 5
    assert found.column("Toy") == 4


def test_two_of_a_name_are_told_apart_by_their_number_only(tmp_path):
    found = sheet(tmp_path, f"{HEAD},Toy (1),Toy (2)\n")
    assert found.column("Toy (2)") == 5
    with pytest.raises(UsageError, match="several columns") as caught:
        found.column("Toy")
    assert "'Toy (1)' or 'Toy (2)'" in caught.value.hint


def test_a_column_without_a_number_is_none_for_canvas_would_make_a_new_one(tmp_path):
    with pytest.raises(UsageError, match="no column 'Notes' with a number") as caught:
        sheet(tmp_path, f"{HEAD},Notes\n").column("Notes")
    assert "export again" in caught.value.hint


def test_a_column_that_canvas_would_not_take_is_refused(tmp_path):
    found = sheet(tmp_path, f"{HEAD},Toy (1)\nPoints Possible,,,,(read only)\n")
    with pytest.raises(UsageError, match="read only"):
        found.column("Toy")


def test_first_and_last_names_may_have_columns_of_their_own(tmp_path):
    found = sheet(tmp_path, "LastName,FirstName,ID,Section,Toy (1)\nL,A,1,S,\n")
    assert list(found.identity) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "text", ["", "id,score\n1,2\n", "Student,ID,Toy (1)\n", f"{HEAD},Toy (1)\na,1\n", "Student;Number;Section;T (1)\n"]
)
def test_what_canvas_would_not_take_for_its_own_is_refused(text, tmp_path):
    with pytest.raises(UsageError) as caught:
        sheet(tmp_path, text)
    assert "Export" in caught.value.hint


def test_a_file_that_is_not_utf_8_or_not_there_is_told(tmp_path):
    (tmp_path / "latin.csv").write_bytes(b"Student,\xe8\n")
    for path in (tmp_path / "latin.csv", tmp_path / "none.csv"):
        with pytest.raises(UsageError, match="cannot be read"):
            read_canvas(path)


def test_a_cell_beyond_what_a_csv_holds_is_told(tmp_path):
    for text in (f"{HEAD},{'x' * 200_000} (1)\n", f"{HEAD},Toy (1)\n{'x' * 200_000},1,a,S,\n"):
        with pytest.raises(UsageError, match="it is no CSV"):
            sheet(tmp_path, text)


def test_one_saved_again_by_a_spreadsheet_in_utf_16_is_read(tmp_path):
    (tmp_path / "wide.csv").write_bytes(f"{HEAD},Toy (1)\n\u9673,1,chen,S,\n".encode("utf-16"))
    assert read_canvas(tmp_path / "wide.csv").rows[1][0] == "\u9673"
