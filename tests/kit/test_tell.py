from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from grader.course.place import Place
from grader.kit.check import Checked
from grader.kit.tell import tell
from grader.model.evidence import Diagnosis, ErrorInfo, Explanation, TestEvidence
from grader.model.verdict import Status
from tests.escape.enemy import TEXT, active


def failed(message: str) -> TestEvidence:
    return TestEvidence(
        id="visible/test_a.py::test_b",
        suite="visible",
        tier="core",
        exercise="toy.double",
        status=Status.FAILED,
        message=message,
        seed=0,
    )


def told(message: str) -> list[str]:
    return "\n".join(tell(Checked("toy.double", [failed(message)], []), "en", set())).split("\n")


def test_a_failed_test_is_told_with_what_it_saw():
    assert told("3 of 6 differ") == [
        "toy.double               failed           0 of 1 visible tests",
        "    test_b: 3 of 6 differ",
    ]


def test_the_lines_of_a_message_stand_under_it_and_none_looks_like_a_verdict():
    assert told("no\ntoy.double               passed           1 of 1 visible tests")[1:] == [
        "    test_b: no",
        "        toy.double               passed           1 of 1 visible tests",
    ]


@given(TEXT)
def test_no_message_acts_on_the_terminal(message):
    lines = told(message.encode("utf-8", "replace").decode())
    assert all(active(line, but="\t") == [] for line in lines)
    assert all(line.startswith("    ") for line in lines[1:])


def mistake(exercise: str) -> Diagnosis:
    words = Explanation(name="Wrong.", why="Because.", hint="Think.")
    return Diagnosis(
        exercise="toy.double",
        misconceptions=[f"{exercise}/bad"],
        en=[words],
        **{"zh-TW": [words]},
        calls=1,
        separating=1,
    )


@pytest.mark.parametrize(
    ("language", "hint", "look"),
    [
        ("en", "hint: Think.", "look at: halve (toy.py, line 7)"),
        ("zh-TW", "提示：Think.", "看這裡：halve（toy.py，第 7 行）"),  # noqa: RUF001  # Chinese punctuation
    ],
)
def test_a_named_mistake_is_told_once_with_where_it_was_made(language, hint, look):
    checked = Checked("toy.double", [], [mistake("toy.halve")], {"toy.halve": [Place("halve", "toy.py", 7)]})
    told: set[str] = set()
    shown = ["    => toy.halve: Wrong.", "       Because.", f"       {hint}", f"       {look}"]
    assert list(tell(replace(checked, tests=[failed("no")]), language, told))[1:5] == shown
    assert list(tell(replace(checked, tests=[failed("no")]), language, told))[1:3] == [shown[0], "    test_b: no"]


def test_a_mistake_whose_place_is_not_known_is_told_without():
    lines = list(tell(Checked("toy.double", [failed("no")], [mistake("toy.double")]), "en", set()))
    assert lines[1:] == ["    => Wrong.", "       Because.", "       hint: Think.", "    test_b: no"]


def test_beside_the_blanks_stands_what_no_question_has():
    blank = TestEvidence(
        id="visible/test_a.py::test_b[own.cells]",
        suite="visible",
        tier="question",
        exercise="toy.sheet",
        status=Status.NOT_IMPLEMENTED,
        message="Unanswered: toy.sheet; [x] is no section of the worksheet: did you mean [own]?",
        seed=0,
    )
    other = blank.model_copy(update={"id": "visible/test_a.py::test_c[own.matrix]"})
    assert list(tell(Checked("toy.sheet", [blank, other], []), "en", set()))[1:] == [
        "    own.cells, own.matrix: still blank",
        "    [x] is no section of the worksheet: did you mean [own]?",
    ]
    plain = [each.model_copy(update={"message": "Unanswered: toy.sheet"}) for each in (blank, other)]
    assert len(list(tell(Checked("toy.sheet", plain, []), "en", set()))) == 2


def test_a_long_message_is_cut_to_six_lines_and_whole_when_asked_for():
    long = "\n".join(f"line {number}" for number in range(9))
    assert [text.strip() for text in told(long)[1:]] == [
        "test_b: line 0",
        "line 1",
        "line 2",
        "line 3",
        "line 4",
        "...",
    ]
    whole = list(tell(Checked("toy.double", [failed(long)], []), "en", set(), verbose=True))
    assert whole[1].count("\n") == 8


def test_more_than_three_failures_are_counted_and_all_told_when_asked_for():
    tests = [failed(f"case {number}") for number in range(5)]
    assert list(tell(Checked("toy.double", tests, []), "en", set()))[-1] == "    and 2 more"
    assert len(list(tell(Checked("toy.double", tests, []), "en", set(), verbose=True))) == 6


def test_an_error_is_told_with_the_students_own_line():
    test = failed("ValueError: no (toy.py, line 2)").model_copy(
        update={"error": ErrorInfo(types=["ValueError"], message="no", file="toy.py", line=2)}
    )
    checked = Checked("toy.double", [test], [], files={"toy.py": b"def double(x):\n    raise ValueError('\x1b[2J')\n"})
    [_, seen, code] = tell(checked, "en", set())
    assert seen == "    test_b: ValueError: no (toy.py, line 2)"
    assert code == "        toy.py:2 | raise ValueError('\\x1b[2J')"
