"""Whose a submission is: found by what tells students apart, told where it cannot be found, and never guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.intake.base import Origin, Said, Submission
from grader.intake.matching import Matched, each_partners, matched
from grader.intake.roster import read_roster
from grader.model.errors import UsageError

COURSE = (
    "id,name,canvas_id,email,github,group\n"
    "ada,Ada Lovelace,101,ada@x.edu,adal,North\n"
    "bo,Bo Li,102,bo@x.edu,,North\n"
    "bo2,Bo Li,103,bo2@x.edu,boli,\n"
    "cy,Cy Ng,,cy@x.edu,,\n"
)


def handed_in(called: str, *who: Said) -> Submission:
    return Submission(called, Path("all.zip"), {"a.py": b""}, "0", (), (), Origin("x", called, who))


@pytest.fixture
def match(tmp_path):
    def found(*submissions: Submission, course: str = COURSE) -> Matched:
        (tmp_path / "roster.csv").write_text(course, encoding="utf-8")
        return matched(submissions, read_roster(tmp_path / "roster.csv"))

    return found


@pytest.mark.parametrize(
    ("said", "student"),
    [
        ({"canvas_id": ("101",), "name": ("somebodyelse",)}, "ada"),
        ({"canvas_id": ("999",), "name": ("lovelaceada",)}, "ada"),
        ({"email": ("CY@X.EDU",)}, "cy"),
        ({"sid": ("cy",)}, "cy"),
        ({"github": ("x-boli", "boli")}, "bo2"),
        ({"id": ("Ada",)}, "ada"),
        ({"email": ("bo@x.edu",), "name": ("Bo Li",)}, "bo"),
    ],
)
def test_a_student_is_known_by_what_tells_them_apart_then_by_name(match, said, student):
    found = match(handed_in("x", said))
    assert [each.id for each in found.submissions] == [student]
    assert found.submissions[0].origin.matched
    assert found.unmatched == ()
    assert student not in found.absent


def test_what_is_of_nobody_is_kept_and_named_and_who_handed_in_nothing_is_too(match):
    found = match(
        handed_in("a_101", {"canvas_id": ("101",)}), handed_in("z_9", {"canvas_id": ("9",)}), handed_in("anon")
    )
    assert [each.id for each in found.submissions] == ["ada", "anon", "z_9"]
    assert found.unmatched == ("anon", "z_9")
    assert found.absent == ("bo", "bo2", "cy")


def test_a_number_that_a_system_made_up_is_nobodys_id(match):
    found = match(handed_in("x_101", {"moodle_id": ("101", "Participant 101")}), course="id\n101\n")
    assert (found.unmatched, found.absent) == (("x_101",), ("101",))


def test_who_is_of_nobody_does_not_pass_for_somebody(match):
    found = match(handed_in("ada", {"canvas_id": ("9",)}))
    assert found.unmatched == ("unmatched ada",)
    assert "ada" in found.absent


def test_of_two_students_with_one_name_both_are_named_with_what_would_help(match):
    with pytest.raises(UsageError, match=r"\(libo\) may be of 'bo' or of 'bo2'") as caught:
        match(handed_in("libo", {"moodle_id": ("7",), "name": ("Bo Li",)}))
    assert caught.value.hint == "give the roster a column moodle_id, which tells them apart"


def test_two_marks_that_point_at_two_students_are_refused(match):
    with pytest.raises(UsageError, match="may be of 'ada' or of 'cy'") as caught:
        match(handed_in("x", {"canvas_id": ("101",), "email": ("cy@x.edu",)}))
    assert caught.value.hint == "correct the roster, so that only one of them has it"


def test_two_submissions_of_one_student_are_refused(match):
    with pytest.raises(UsageError, match=r"two submissions are called 'ada'.*\(one\).*\(two\)"):
        match(handed_in("one", {"canvas_id": ("101",)}), handed_in("two", {"email": ("ada@x.edu",)}))


def test_what_partners_hand_in_is_a_submission_of_each(match):
    found = match(handed_in("p", {"email": ("ada@x.edu",)}, {"email": ("cy@x.edu",)}, {"name": ("Stranger",)}))
    assert [(each.id, each.origin.partners) for each in found.submissions] == [
        ("Stranger", ("ada", "cy")),
        ("ada", ("cy", "Stranger")),
        ("cy", ("ada", "Stranger")),
    ]
    assert found.unmatched == ("Stranger",)
    assert len({each.digest for each in found.submissions}) == 1


def test_what_a_group_of_the_roster_hands_in_is_a_submission_of_each(match):
    found = match(handed_in("north_101", {"canvas_id": ("101",), "name": ("north",), "group": ("north",)}))
    assert [each.id for each in found.submissions] == ["ada", "bo"]


def test_a_submission_of_which_nothing_is_known_is_nobodys(match):
    found = match(Submission("x", Path("x"), {}, "0", (), ()))
    assert found.unmatched == ("x",)


def test_without_a_roster_partners_get_a_submission_each_under_what_they_are_called():
    pair = handed_in("p", {"sid": ("7",), "name": ("Ada",)}, {"name": ("Bo",)})
    found = each_partners([handed_in("x", {"sid": ("1",)}), pair])
    assert [(each.id, each.origin.partners, each.origin.matched) for each in found] == [
        ("7", ("Bo",), None),
        ("Bo", ("7",), None),
        ("x", (), None),
    ]


def test_without_a_roster_two_of_one_name_are_refused():
    pair = handed_in("p", {"name": ("Ada",)}, {"name": ("Bo",)})
    with pytest.raises(UsageError, match="two submissions are called 'Bo'"):
        each_partners([pair, handed_in("Bo", {"name": ("Bo",)})])
