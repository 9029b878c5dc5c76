from __future__ import annotations

from grader.graded.read import read_class
from grader.review.cases import answers, cases
from tests.review.made import PNG, graded, submitted


def only(folder):
    [each] = read_class(folder)
    return each


def test_an_answer_in_words_is_read_with_its_rubric_and_the_plots_beside_it(tmp_path):
    [answer] = answers(only(graded(tmp_path, submitted("ada"))))
    assert (answer.file, answer.text, [item.id for item in answer.rubric]) == (
        "answers.md",
        "Because.\n",
        ["idea", "words"],
    )
    assert answer.plots == {"loss.png": PNG}


def test_what_was_not_handed_in_is_not_read(tmp_path):
    assert list(answers(only(graded(tmp_path, submitted("ada", " \n"))))) == []


def test_a_flag_is_shown_with_the_lines_around_it(tmp_path):
    [case] = cases(only(graded(tmp_path, submitted("ada", flags=True))))
    assert (case.exercise, case.about) == ("", "toy.py, line 5: eval")
    assert case.shown.splitlines()[-1] == "   5      return eval('2 * x')"
    assert case.shown.splitlines()[0] == "   2  "


def test_an_exercise_without_a_score_is_a_case(tmp_path):
    [case] = cases(only(graded(tmp_path, submitted("ada", score=None))))
    assert (case.exercise, case.shown) == ("toy.double", "the judge died")


def test_an_assignment_that_could_not_be_graded_is_one_case(tmp_path):
    report = submitted("ada", score=None)
    part = report.assignments[0].model_copy(update={"problem": "the suite is broken"})
    [case] = cases(only(graded(tmp_path, report.model_copy(update={"assignments": [part]}))))
    assert (case.exercise, case.shown) == ("", "the suite is broken")
