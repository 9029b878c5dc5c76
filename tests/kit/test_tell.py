from __future__ import annotations

# ruff: noqa: RUF001  # Chinese punctuation
from dataclasses import replace

import pytest
from hypothesis import given

from grader.course.place import Place
from grader.kit.checked import Checked
from grader.kit.tell import tell
from grader.model.evidence import Diagnosis, ErrorInfo, Explanation, TestEvidence
from grader.model.verdict import Status
from tests.escape.enemy import TEXT, active


def failed(message: str, *, name: str = "test_b", tier: str = "core", status: Status = Status.FAILED) -> TestEvidence:
    return TestEvidence(
        id=f"visible/test_a.py::{name}",
        suite="visible",
        tier=tier,
        exercise="toy.double",
        status=status,
        message=message,
        seed=0,
    )


def told(message: str) -> list[str]:
    """The lines below what the exercise would earn."""
    verdict, _, *seen = "\n".join(tell(Checked("toy.double", [failed(message)], []), "en", set())).split("\n")
    return [verdict, *seen]


def test_a_failed_test_is_told_with_what_it_saw():
    assert told("3 of 6 differ") == [
        "toy.double                     failed           0 of 1 visible tests",
        "    test_b (core): 3 of 6 differ",
    ]


def test_the_lines_of_a_message_stand_under_it_and_none_looks_like_a_verdict():
    assert told("no\ntoy.double                     passed           1 of 1 visible tests")[1:] == [
        "    test_b (core): no",
        "        toy.double                     passed           1 of 1 visible tests",
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
        ("zh-TW", "提示：Think.", "看這裡：halve（toy.py，第 7 行）"),
    ],
)
def test_a_named_mistake_is_told_once_with_where_it_was_made(language, hint, look):
    checked = Checked("toy.double", [], [mistake("toy.halve")], {"toy.halve": [Place("halve", "toy.py", 7)]})
    told: set[str] = set()
    colon = {"en": ": ", "zh-TW": "："}[language]
    shown = [f"    => toy.halve{colon}Wrong.", "       Because.", f"       {hint}", f"       {look}"]
    assert list(tell(replace(checked, tests=[failed("no")]), language, told))[1:5] == shown
    again = list(tell(replace(checked, tests=[failed("no")]), language, told))
    assert again[1] == shown[0]
    assert len(again) == 4


def test_a_mistake_whose_place_is_not_known_is_told_without():
    lines = list(tell(Checked("toy.double", [failed("no")], [mistake("toy.double")]), "en", set()))
    assert lines[1:4] == ["    => Wrong.", "       Because.", "       hint: Think."]
    assert lines[5:] == ["    test_b (core): no"]


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
        "test_b (core): line 0",
        "line 1",
        "line 2",
        "line 3",
        "line 4",
        "...",
    ]
    whole = list(tell(Checked("toy.double", [failed(long)], []), "en", set(), verbose=True))
    assert whole[2].count("\n") == 8


def test_more_than_three_failures_are_counted_and_all_told_when_asked_for():
    tests = [failed(f"case {number}") for number in range(5)]
    assert (
        list(tell(Checked("toy.double", tests, []), "en", set()))[-1]
        == "    and 2 more failed tests: `grader check -v` shows them"
    )
    assert len(list(tell(Checked("toy.double", tests, []), "en", set(), verbose=True))) == 7


def test_an_error_is_told_with_the_students_own_line():
    test = failed("ValueError: no (toy.py, line 2)").model_copy(
        update={"error": ErrorInfo(types=["ValueError"], message="no", file="toy.py", line=2)}
    )
    checked = Checked("toy.double", [test], [], files={"toy.py": b"def double(x):\n    raise ValueError('\x1b[2J')\n"})
    [_, _, seen, code] = tell(checked, "en", set())
    assert seen == "    test_b (core): ValueError: no (toy.py, line 2)"
    assert code == "        toy.py:2 | raise ValueError('\\x1b[2J')"


def test_all_of_the_students_own_lines_on_the_way_are_told_the_outermost_first():
    way = [{"file": "toy.py", "line": 2}, {"file": "given.py", "line": 1}, {"file": "toy.py", "line": 5}]
    error = ErrorInfo(types=["ValueError"], message="no", file="toy.py", line=5, way=way)
    test = failed("ValueError: no (toy.py, line 5)").model_copy(update={"error": error})
    files = {"toy.py": b"def double(x):\n    return twice(x)\n\ndef twice(x):\n    raise ValueError\n"}
    assert list(tell(Checked("toy.double", [test], [], files=files), "en", set()))[3:] == [
        "        toy.py:2 | return twice(x)",
        "        toy.py:5 | raise ValueError",
    ]


def test_cases_that_saw_the_same_are_told_once_with_their_number():
    more = "    and 2 more failed tests: `grader check -v` shows them"
    tests = [failed("no", name=f"test_b[{n}]") for n in range(3)] + [failed(f"case {n}") for n in range(4)]
    told = list(tell(Checked("toy.double", tests, []), "en", set()))
    assert told[2] == "    test_b[0] (core, 3 cases): no"
    assert told[-1] == more
    chinese = list(tell(Checked("toy.double", tests, []), "zh-TW", set()))
    assert chinese[2] == "    test_b[0]（核心，3 個案例）：no"
    assert list(tell(Checked("toy.double", tests[2:], []), "en", set()))[-1] == more
    last = list(tell(Checked("toy.double", tests[:-1], []), "en", set()))[-1]
    assert last == "    and 1 more failed test: `grader check -v` shows it"


def test_tests_that_saw_the_same_are_told_once_with_a_tier_only_where_it_is_that_of_all():
    core = [failed("no", name=f"test_{n}") for n in range(3)]
    assert list(tell(Checked("toy.double", core, []), "en", set()))[2] == (
        "    test_0 (core, and 2 more tests with the same error): no"
    )
    mixed = [core[0], failed("no", name="test_edge", tier="edge")]
    told = [list(tell(Checked("toy.double", mixed, []), language, set()))[3] for language in ("en", "zh-TW")]
    assert told == [
        "    test_0 (and 1 more test with the same error): no",
        "    test_0（另有 1 個測試也是同樣的錯誤）：no",
    ]


def test_what_it_needs_and_does_not_pass_is_named_as_the_first_to_mend():
    checked = Checked("toy.double", [failed("no")], [], unmet="toy.halve")
    assert "    it needs toy.halve, which does not pass: mend that first" in tell(checked, "en", set())


PASSED = Status.PASSED


@pytest.mark.parametrize(
    ("core", "edge", "lines"),
    [
        ((PASSED, Status.FAILED), (PASSED, PASSED), ("core: 1 of 2 held, would earn 0 of 8 points (all must hold)", "edge: 2 of 2 held, would earn 0 of 2 points (once core holds)")),
        ((PASSED, PASSED), (PASSED, Status.FAILED), ("core: 2 of 2 held, would earn 8 of 8 points", "edge: 1 of 2 held, would earn 1 of 2 points")),
        ((PASSED, Status.TIMEOUT), (), ("core: 1 of 2 held, would earn 0 of 10 points (all must hold)",)),
        ((PASSED, PASSED), (PASSED,), ()),
        ((Status.NOT_IMPLEMENTED,), (Status.NOT_IMPLEMENTED,), ()),
    ],
)  # fmt: skip
def test_what_core_and_edge_tests_would_earn_is_told_apart(core, edge, lines):
    tests = [
        failed("no", name=f"test_{tier}{n}", tier=tier, status=status)
        for tier, some in (("core", core), ("edge", edge))
        for n, status in enumerate(some)
    ]
    told = list(tell(Checked("toy.double", tests, [], worth=10), "en", set()))
    assert [text.strip() for text in told if text.startswith(("    core:", "    edge:"))] == list(lines)
    if edge == (PASSED, Status.FAILED):
        assert told[0].split()[1:3] == ["partly", "passed"]


def test_of_a_worksheet_it_is_told_how_many_answers_were_compared():
    def answer(name: str, status: Status = Status.PASSED) -> TestEvidence:
        return failed("", name=name, tier="question", status=status)

    tests = [answer(f"test_form[own.{q}]") for q in "abc"] + [answer("test_right[own.a]")]
    compared = frozenset({tests[-1].id})
    right = [next(tell(Checked("toy.sheet", tests, [], compared=compared), lang, set())) for lang in ("en", "zh-TW")]
    assert right[0].split(None, 1) == ["toy.sheet", "complete         1 compared, 2 graded when you hand in"]
    assert "已完成" in right[1]
    tests[0] = answer("test_form[own.a]", Status.FAILED)
    told = list(tell(Checked("toy.sheet", tests, [], compared=compared), "en", set()))
    assert told[0].startswith("toy.sheet                      partly passed")
    assert told[1].startswith("    1 of 3 answers were compared with the right ones. Of the other 2 only the form")
    chinese = list(tell(Checked("toy.sheet", tests, [], compared=compared), "zh-TW", set()))
    assert chinese[1].startswith("    3 個答案中，有 1 個和正確答案比對過")
    every = frozenset(test.id for test in tests)
    assert len(list(tell(Checked("toy.sheet", tests, [], compared=every), "en", set()))) == 2


def test_a_worksheet_that_is_not_there_is_not_begun():
    error = ErrorInfo(types=["FileNotFoundError"], message="there is no answers.toml")
    test = failed("there is no answers.toml", tier="question", status=Status.IMPORT_ERROR)
    told = list(tell(Checked("toy.sheet", [test.model_copy(update={"error": error})], []), "en", set()))
    assert told == [
        "toy.sheet                      not begun        0 of 1 visible tests",
        "    there is no answers.toml",
    ]
    broken = error.model_copy(update={"types": ["TOMLDecodeError"]})
    told = list(tell(Checked("toy.sheet", [test.model_copy(update={"error": broken})], []), "en", set()))
    assert told[0].split()[1:4] == ["cannot", "be", "imported"]
