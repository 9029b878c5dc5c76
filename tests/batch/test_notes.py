from __future__ import annotations

from pathlib import Path

from hypothesis import given

from grader.batch.folder import strangers, write_report
from grader.batch.notes import about_class, earlier, interrupted, left_out, listed, untimed
from grader.intake.base import Origin, Submission
from grader.intake.leftover import Leftover
from grader.intake.matching import Matched
from grader.intake.roster import Roster, Student
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


ROSTER = Roster(Path("roster.csv"), ("id", "submitted"), (Student("ada", {"submitted": "2026-10-01"}), Student("bo")))


def handed_in(name: str, **said: object) -> Submission:
    return Submission(name, Path("all.zip"), {}, "0", (), (), Origin("canvas", name, **said))


def test_what_of_a_download_is_nobodys_is_told() -> None:
    assert list(left_out([Leftover(Path("a.zip"), ("x.txt",), (), "canvas"), Leftover(MIX, (), (), "moodle")])) == [
        "1 in a.zip belongs to no submission and will not be graded: x.txt"
    ]


def test_whose_work_it_is_and_whose_is_missing_is_told() -> None:
    known = [
        handed_in("ada", earlier=("old.py",), late=True),
        handed_in("bo", partners=("ada",), attempt="the last of 3"),
        handed_in("z"),
    ]
    assert list(about_class(Matched(known, ("z",), ("cy",)), ROSTER)) == [
        "of nobody in roster.csv, and graded under what they are called: z",
        "on the roster and without a submission: cy",
        "marked late where they come from, which decides nothing here: ada",
        "of several attempts the last is graded, and what others left there is named in its report: ada, bo (the last of 3)",
        "handed in together, and graded for each of them: ada + bo",
    ]
    assert list(about_class(Matched([handed_in("z")]), None)) == []


def test_where_only_the_download_has_a_time_it_is_told() -> None:
    told = untimed([handed_in("bo", shared=True)], ROSTER)
    assert told is not None
    assert "a column submitted in the roster does, or --submitted" in told
    assert untimed([handed_in("ada", shared=True), handed_in("cy")], ROSTER) is None
    assert untimed([handed_in("ada", shared=True)], None) == told


@given(TEXT)
def test_names_of_a_class_and_of_a_download_stay_in_their_line(name: str) -> None:
    known = Matched([handed_in("a", partners=(name,), late=True)], (name,), (name,))
    told = [*about_class(known, ROSTER), *left_out([Leftover(Path(name or "x"), (name,), (), "canvas")])]
    assert all(text.isprintable() for text in told)
