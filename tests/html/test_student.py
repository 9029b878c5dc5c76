"""A student's page has what the student may see, as it was counted and decided, and no more."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

import pytest

from grader.gradebook.policy.final import Final
from grader.gradebook.policy.lateness import Lateness
from grader.gradebook.policy.total import Total
from grader.gradebook.policy.work import Attempt, Ruling
from grader.gradebook.show import Shown
from grader.graded.read import Counted, Graded
from grader.html.student import student_page
from grader.model.evidence import HeatMap
from grader.model.verdict import Status, Suite
from tests.graded import made
from tests.html import hostile


def text(page: str | None, language: str = "en") -> str:
    """What is read in one language, without tags."""
    assert page is not None
    other = "zh-TW" if language == "en" else "en"
    body = page.partition("<main")[2].replace("<br>", " ")
    body = re.sub(rf'<span lang="{other}">.*?</span>', "", body, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", "", body)).split())


def page(report, *, shown: Shown | None = None, book: Counted | None = None, **more) -> str | None:
    return student_page(Graded(made.row(report), report, shown), book, language="en", **more)


def counted(*finals: Final, rulings=(), released=()) -> tuple[Shown, Counted]:
    total = Total(sum((final.score for final in finals), Fraction(0)), sum((f.points for f in finals), Fraction(0)))
    shown = Shown("ada", finals, total, {final.assignment: rulings for final in finals})
    return shown, Counted({"ada": shown}, frozenset(released))


def final(name: str = "toy", **more) -> Final:
    attempt = Attempt("ada", 0, 8.0, 10.0)
    return Final(
        name, Fraction(10), **{"earned": Fraction(8), "score": Fraction(8), "attempt": attempt, "attempts": 1, **more}
    )


def test_score_status_mistake_and_what_tests_saw_are_on_it_in_both_languages():
    seen = made.tried("test_a", Status.FAILED, "got 5, expected 6")
    report = made.report("ada", made.exercise(score=0.0, diagnosis=made.explained(), tests=[seen]))
    english, chinese = text(page(report)), text(page(report), "zh-TW")
    for words in (
        "0 / 10 points",
        "failed",
        "Your double adds 2.",
        "2 + 2 is 2 * 2",
        "Hint Try 3.",
        "got 5, expected 6",
    ):
        assert words in english
    for words in ("未通過", "你的 double 加了 2。", "提示 試試 3。"):
        assert words in chinese
    assert "failed" not in chinese


def test_nothing_of_a_hidden_test_is_on_it_but_its_status_and_the_place_of_an_error():
    heat = HeatMap(what="hidden weights", got=[[0.31415]], right=[[0.27182]])
    told = made.tried(
        "test_hidden_name", Status.FAILED, "hidden message", Suite.HIDDEN,
        error=made.raised("ValueError", "hidden words", "toy.py", 1), heat_maps=[heat],
    )  # fmt: skip
    found = page(made.report("ada", made.exercise(score=0.0, tests=[told])))
    assert "ValueError (toy.py, line 1)" in text(found)
    assert "hidden core 0 of 1" in text(found)
    for secret in ("test_hidden_name", "hidden message", "hidden words", "hidden weights", "0.314", "0.272", "seed"):
        assert secret not in (found or "")


def test_their_weights_stand_beside_the_right_ones():
    heat = HeatMap(what="the weights", got=[[0.2, 0.4], [0.8, 0.6]], right=[[0.5, 0.5], [0.25, 0.75]])
    same = HeatMap(what="the same", got=[[1.0]], right=[[1.0]])
    tests = [made.tried("test_a", Status.FAILED, "sums", heat_maps=[heat, same]), made.tried("b", heat_maps=[heat])]
    found = page(made.report("ada", made.exercise(score=0.0, tests=tests))) or ""
    assert found.count('<svg role="img"') == 2
    assert "1.4 ✗" in found
    assert "the same" not in found


def test_an_exercise_that_passed_is_a_line_of_the_table_and_no_more():
    found = page(made.report("ada", made.exercise(tests=[made.tried("test_a")]))) or ""
    assert "<article" not in found
    assert "toy.double" in found


def test_what_was_carried_says_so_and_keeps_what_it_saw_folded():
    seen = made.tried("test_a", Status.FAILED, "got 5")
    found = page(made.report("ada", made.exercise(carried=["toy.other"], tests=[seen]))) or ""
    assert "Graded with right answers in the place of toy.other" in text(found)
    assert found.index("<details>") < found.index("got 5")


def test_a_fault_of_ours_has_no_score_and_tells_no_path():
    report = made.report("ada", made.exercise(score=None, message="/srv/course/hidden is missing"))
    found = page(report)
    assert " no score " in text(found)
    assert "This is not your fault" in text(found)
    assert "/srv/course" not in (found or "")


def test_wrong_answers_of_a_worksheet_are_named():
    asked = made.tried("test_answer[own.q]", Status.FAILED, "got 6, expected 7", Suite.HIDDEN, tier="question")
    found = text(page(made.report("ada", made.exercise(score=0.0, tests=[asked]))))
    assert "Wrong or blank: own.q" in found
    assert "expected 7" not in found


def test_lateness_decisions_and_comments_are_told_with_author_and_reason():
    rulings = [
        Ruling("toy.double", "score", 8.0, "well <b>seen</b>", "eva", "the idea was right", 0),
        Ruling("", "comment", None, "come and see me", "eva", "", 0),
    ]
    late = final(score=Fraction(36, 5), lateness=Lateness(90_000, 2, 1, Fraction(9, 10)), attempts=3)
    shown, book = counted(late, rulings=rulings, released=["toy"])
    found = text(page(made.report("ada"), shown=shown, book=book))
    assert "Counts 7.2 of 10. Released to students." in found
    for note in (
        "3 attempts.",
        "Earned 8.",
        "Days late: 2. Days of these that the bank paid for: 1.",
        "eva decided: toy.double is worth 8. Reason: the idea was right eva on toy.double: well <b>seen</b>",
        "8 / 10 decided by a person",
        "In all, 7.2 of 10 points count.",
        "8 / 10 Graded by",
        "eva on the whole assignment: come and see me",
    ):
        assert note in found


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"excused": True}, "Excused: it does not count."),
        ({"attempt": None}, "Nothing was handed in."),
        ({"lateness": Lateness(9**9, 99, 0, Fraction(0), cut_off=True)}, "Too late to be taken."),
        ({"dropped": True}, "One of the lowest"),
        ({"bonus": True}, "Its points are on top."),
    ],
)
def test_why_an_assignment_counts_as_it_does_is_told(change, note):
    shown, book = counted(final(**change))
    assert note in text(page(made.report("ada"), shown=shown, book=book))


def test_a_withdrawn_decision_is_told_too():
    shown, book = counted(final(), rulings=[Ruling("", "withdrawn", None, "", "eva", "I was wrong", 0)])
    found = text(page(made.report("ada"), shown=shown, book=book))
    assert "eva let the grader's score of the whole assignment stand again. Reason: I was wrong" in found


def two():
    return made.report("ada", made.exercise("toy.double", 4.0), made.exercise("other.half", 7.0))


def test_what_is_handed_out_leaves_out_what_is_not_released():
    shown, book = counted(final(), final("other"), released=["toy"])
    whole, handed_out = (page(two(), shown=shown, book=book, released_only=only) for only in (False, True))
    assert "Not released to students yet." in text(whole)
    assert "11 / 20 points" in text(whole)
    assert "In all, 16 of 20 points count." in text(whole)
    assert "4 / 10 points" in text(handed_out)
    assert "other" not in (handed_out or "").partition("<main")[2]
    assert "16 of 20" not in text(handed_out)


def test_where_nothing_is_released_there_is_nothing_to_hand_out():
    shown, book = counted(final(), released=[])
    assert page(made.report("ada"), shown=shown, book=book, released_only=True) is None
    assert page(made.report("ada"), released_only=True) is not None  # without a gradebook nobody said anything


def test_the_curves_of_a_run_are_drawn_with_their_numbers():
    report = made.report("wen", submission=hostile.handed_in("wen", {"run/metrics.csv": hostile.METRICS}))
    found = page(report) or ""
    assert found.count("<polyline") == 3
    assert "loss: first 5, last 0.125, lowest 0.125" in text(found)


def test_a_file_that_cannot_be_imported_is_told_once_for_all_its_exercises():
    said = "SyntaxError: '(' was never closed (toy.py, line 54)"
    parts = [made.exercise(name, 0.0, status=Status.IMPORT_ERROR, message=said) for name in ("toy.a", "toy.b")]
    found = page(made.report("ada", *parts)) or ""
    assert text(found).count(said) == 1
    assert "<article" not in found


def test_what_is_still_to_do_is_told_in_a_line():
    said = "FileNotFoundError: run/run.json; hand it in beside your other files"
    tests = [made.tried("test_a", Status.NOT_IMPLEMENTED, said), made.tried("test_b", Status.NOT_IMPLEMENTED, said)]
    found = page(made.report("ada", made.exercise(score=0.0, status=Status.NOT_IMPLEMENTED, message="x", tests=tests)))
    assert text(found).count(said) == 1
    assert "What the visible tests saw" not in text(found)


def test_a_limit_that_was_passed_is_told_by_the_test_that_met_it():
    tests = [
        made.tried("test_a", Status.TIMEOUT, "double used more than 2 s"),
        made.tried("test_b", Status.TIMEOUT, "not run: an earlier test of this exercise ran out of time"),
    ]
    found = text(page(made.report("ada", made.exercise(score=0.0, status=Status.TIMEOUT, tests=tests))))
    assert "test_a double used more than 2 s" in found.replace("test_adouble", "test_a double")
    assert "not run" not in found
