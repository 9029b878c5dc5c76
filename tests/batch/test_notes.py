from __future__ import annotations

from pathlib import Path

from hypothesis import given

from grader.batch.folder import strangers, write_report
from grader.batch.notes import earlier, interrupted, left_out, listed
from grader.intake.leftover import Leftover
from tests.batch.test_run import report
from tests.escape.enemy import TEXT

MIX = Path("mix")


def test_loose_files_are_told_in_one_line_with_the_remedy() -> None:
    names = ("bob_attention.py", "carl.py", "dora.ipynb")
    assert list(left_out([Leftover(MIX, names, ())])) == [
        "3 files in mix are no submissions and were left out: bob_attention.py, carl.py, dora.ipynb; put each in a folder of its student"
    ]
    assert list(left_out([Leftover(MIX, names[:1], ())])) == [
        "1 file in mix is no submission and was left out: bob_attention.py; put it in a folder of its student"
    ]


def test_folders_with_a_dot_are_told() -> None:
    [told] = left_out([Leftover(MIX, (), (".bob",))])
    assert told == ".bob in mix starts with a dot and so was left out; rename it and grade again"
    [told] = left_out([Leftover(MIX, (), (".bob", ".cy"))])
    assert told == ".bob, .cy in mix start with a dot and so were left out; rename them and grade again"


def test_where_nothing_is_left_out_nothing_is_said() -> None:
    assert list(left_out([Leftover(MIX, (), ())])) == []
    assert earlier(Path("out"), []) is None


def test_reports_of_an_earlier_run_are_told_and_those_of_this_one_are_not(tmp_path: Path) -> None:
    for student in ("ada", "emre", "bo"):
        write_report(tmp_path, report(student))
    (tmp_path / "no-report").mkdir()
    assert strangers(tmp_path, {"bo"}) == ["ada", "emre"]
    assert strangers(tmp_path / "gone", {"bo"}) == []
    told = earlier(Path("out"), ["ada", "emre"])
    assert told == "out holds reports of an earlier run: ada, emre; they are not in this summary"


def test_an_interrupted_run_says_how_far_it_came() -> None:
    told = interrupted(2, 19, Path("out"))
    assert told == "2 of 19 graded, their reports are in out; the same command grades the rest"
    assert interrupted(0, 19, Path("out")) == "0 of 19 graded, the same command grades the rest"


def test_many_names_are_cut() -> None:
    assert listed([f"s{number}" for number in range(12)]).endswith("s9 and 2 more")


@given(TEXT)
def test_no_name_is_more_than_a_piece_of_one_line(name: str) -> None:
    for told in [*left_out([Leftover(Path(name), (name,), (name,))]), earlier(Path(name), [name]) or ""]:
        assert not any(each in told for each in "\n\r\x1b\u202e")
