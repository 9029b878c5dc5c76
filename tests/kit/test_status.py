from __future__ import annotations

from grader.course.locate import load_assignments
from grader.kit.check import read_files
from grader.kit.lesson import current, first_open, following, steps
from grader.kit.path import tell as path_of
from grader.kit.path import tell_one
from grader.kit.since import changed
from grader.kit.state import State
from grader.kit.status import Standing, standing, tell
from grader.kit.touched import code_of


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


def test_what_was_finished_and_changed_since_is_marked(kit, lesson, solved) -> None:
    assignments = load_assignments(kit, ["attention"])
    state = State()
    code = code_of(assignments[0].manifest, read_files(assignments[0], solved))
    state.note("attention.qkv", code["attention.qkv"], passed=True)
    for text, marked in (("", False), ("# a note", False), ("x = 1", True)):
        with (solved / "attention.py").open("a", encoding="utf-8") as file:
            file.write(f"\n{text}\n")
        assert ("changed since it was checked" in "\n".join(tell(list(lesson.values()), state, kit, "en"))) is marked
        assert changed(assignments, state, kit) == ({"attention.qkv"} if marked else set())
    lines = list(tell_one(assignments[0], state, "en", stale={"attention.qkv"}))
    assert lines[1].startswith("[?] attention.qkv")
    assert lines[1].endswith("(changed since it was checked)")
    assert lines[0].startswith("[ ] attention.softmax")
    assert next(path_of(assignments, state, "en", stale={"attention.qkv"})).startswith("[?] attention")


def test_the_next_exercise_is_the_next_that_is_not_finished_and_the_first_ones_come_last(kit) -> None:
    lesson = steps(load_assignments(kit, ["attention"]))
    state = State(finished=["attention.qkv"], current="attention.softmax")
    assert current(lesson, state).id == "attention.softmax"
    assert following(lesson, state, lesson[0]).id == "attention.scores"
    assert following(lesson, state, lesson[-1]).id == "attention.softmax"
    assert first_open(lesson[1:], state).id == "attention.scores"
    state.finished = [step.id for step in lesson]
    assert following(lesson, state, lesson[0]) is None
    assert current(lesson, State(current="gone", finished=["attention.softmax"])).id == "attention.qkv"
