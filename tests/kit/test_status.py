from __future__ import annotations

from grader.course.locate import load_assignments
from grader.kit.lesson import current, following, steps
from grader.kit.state import State
from grader.kit.status import Standing, standing, tell


def test_an_exercise_is_begun_once_it_is_no_longer_the_template(kit, lesson, solved) -> None:
    assert standing(lesson["attention.softmax"], State(), kit) is Standing.BEGUN
    assert standing(lesson["shapes.femto"], State(), kit) is Standing.TO_DO
    assert standing(lesson["shapes.worksheet"], State(), kit) is Standing.TO_DO
    (solved / "answers.toml").write_text("", encoding="utf-8")
    assert standing(lesson["shapes.worksheet"], State(), kit) is Standing.BEGUN


def test_a_file_that_is_no_python_is_told(kit, lesson, solved) -> None:
    (solved / "attention.py").write_text("def (", encoding="utf-8")
    assert standing(lesson["attention.softmax"], State(), kit) is Standing.UNREADABLE


def test_what_was_finished_and_fails_is_listed_so(kit, lesson, solved) -> None:
    state = State(finished=["attention.qkv"], lost=["attention.softmax"])
    lines = list(tell(list(lesson.values()), state, kit, "en"))
    assert "was finished" in lines[0]
    assert "finished " in lines[1]
    assert lines[-1].startswith("1 of 18 finished, 5 of ")
    assert "曾經完成" in next(tell(list(lesson.values()), state, kit, "zh-TW"))


def test_the_next_exercise_is_the_next_that_is_not_finished_and_the_first_ones_come_last(kit) -> None:
    lesson = steps(load_assignments(kit, ["attention"]))
    state = State(finished=["attention.qkv"], current="attention.softmax")
    assert current(lesson, state).id == "attention.softmax"
    assert following(lesson, state, lesson[0]).id == "attention.scores"
    assert following(lesson, state, lesson[-1]).id == "attention.softmax"
    state.finished = [step.id for step in lesson]
    assert following(lesson, state, lesson[0]) is None
    assert current(lesson, State(current="gone", finished=["attention.softmax"])).id == "attention.qkv"
