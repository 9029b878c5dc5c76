"""What a watch does, with a judge that answers when it is told to."""

from __future__ import annotations

import pytest

from grader.course.locate import load_assignments
from grader.kit.checked import Checked
from grader.kit.lesson import steps
from grader.kit.state import Kept
from grader.kit.watching.events import Changed, Done, Key
from grader.kit.watching.watching import Watching
from grader.model.evidence import HeatMap, TestEvidence
from grader.model.verdict import Status


def test_of(exercise: str, status: Status) -> TestEvidence:
    return TestEvidence(
        id=f"visible/test_a.py::test_{exercise.partition('.')[2]}",
        suite="visible",
        tier="core",
        exercise=exercise,
        status=status,
        message="" if status is Status.PASSED else "it saw something",
        seed=0,
    )


test_of.__test__ = False


class Judge:
    """Keeps what it is asked."""

    def __init__(self) -> None:
        self.asked = []

    def ask(self, *asked) -> None:
        self.asked = list(asked)


class Evening:
    """A watch on a kit, with its judge."""

    def __init__(self, kit, folder, language="en") -> None:
        self.folder = folder
        self.judge = Judge()
        self.kept = Kept(kit)
        self.watching = Watching(
            steps(load_assignments(kit, ())), self.kept, folder, language, self.judge, clock=lambda: "12:00:00"
        )
        self.watching.begin()

    def press(self, keys: str) -> None:
        for char in keys:
            self.watching.handle(Key(char))

    def save(self, change) -> bool:
        file = self.folder / "attention.py"
        file.write_text(change(file.read_text("utf-8")), encoding="utf-8")
        return self.watching.handle(Changed())

    def answer(self, **failing: Status) -> None:
        for asked in self.judge.asked:
            wanted = asked.exercises or [each.id for each in asked.assignment.manifest.exercises]
            found = [
                Checked(name, [test_of(name, failing.get(name.partition(".")[2], Status.PASSED))], [])
                for name in wanted
            ]
            self.watching.handle(Done(asked.number, tuple(found), 0.1))
        self.judge.asked = []

    @property
    def asked(self) -> list[tuple[str, ...]]:
        return [each.exercises for each in self.judge.asked]

    @property
    def screen(self) -> str:
        view = self.watching.view()
        return "\n".join(line.text for line in [view.title, *view.body, *view.pinned])


@pytest.fixture
def evening(kit, solved) -> Evening:
    return Evening(kit, solved)


def softmax_changed(text: str) -> str:
    return text.replace(
        "def softmax(x: Array, axis: int = -1) -> Array:", "def softmax(x: Array, axis: int = 0) -> Array:"
    )


def test_a_watch_begins_with_the_first_exercise_and_checks_it(evening: Evening) -> None:
    assert evening.asked == [("attention.softmax",)]
    evening.answer()
    assert "passed" in evening.screen
    assert "This exercise is finished" in evening.screen


def test_what_the_students_code_printed_is_shown_below_what_the_tests_say(evening: Evening) -> None:
    checked = Checked("attention.softmax", [test_of("attention.softmax", Status.FAILED)], [], printed="(2, 3)\n")
    evening.watching.handle(Done(evening.judge.asked[0].number, (checked,), 0.1))
    assert evening.screen.index("it saw something") < evening.screen.index("your code printed:\n    | (2, 3)")


def test_a_save_that_changes_a_comment_checks_the_exercise_on_the_screen_alone(evening: Evening) -> None:
    evening.answer()
    evening.press("n")
    evening.answer()
    assert evening.save(lambda text: text + "\n# a note\n")
    assert evening.asked == [("attention.qkv",)]


def test_a_save_that_changes_nothing_checks_nothing(evening: Evening) -> None:
    evening.answer()
    assert not evening.save(lambda text: text)
    assert evening.asked == []


def test_a_change_is_checked_in_every_finished_exercise_that_stands_on_it(evening: Evening) -> None:
    for _ in range(4):
        evening.answer()
        evening.press("n")
    assert evening.watching.view().title.text.startswith("attention.attention")
    evening.save(lambda text: text.replace("def project_qkv(X: Array", "def project_qkv(Y: Array"))
    assert evening.asked == [("attention.attention",), ("attention.qkv",)]
    evening.answer()
    # What the exercise on the screen needs is run with it.
    evening.save(softmax_changed)
    assert evening.asked == [("attention.attention",)]


def test_a_finished_exercise_that_fails_is_told_loudly_until_it_passes_again(evening: Evening) -> None:
    evening.answer()
    evening.press("n")
    evening.answer()
    evening.save(softmax_changed)
    assert evening.asked == [("attention.qkv",), ("attention.softmax",)]
    evening.answer(softmax=Status.FAILED)
    assert "WAS FINISHED, FAILS NOW: attention.softmax" in evening.screen
    assert Kept(evening.kept.path.parents[1]).state.lost == ["attention.softmax"]
    evening.press("l")
    assert "was finished" in evening.screen
    evening.press("l")
    evening.save(
        lambda text: text.replace("def softmax(x: Array, axis: int = 0)", "def softmax(z: Array, axis: int = 0)")
    )
    assert evening.asked == [("attention.qkv",), ("attention.softmax",)]
    evening.answer()
    assert "WAS FINISHED" not in evening.screen


def test_an_exercise_that_is_again_as_it_was_when_it_passed_is_finished_again(evening: Evening) -> None:
    right = (evening.folder / "attention.py").read_text("utf-8")
    evening.answer()
    evening.press("nn")
    evening.answer()
    evening.save(softmax_changed)
    evening.answer(softmax=Status.FAILED)
    evening.save(lambda _: right)
    assert "WAS FINISHED" not in evening.screen


def test_what_passed_on_the_same_code_is_not_run_again_for_those_that_need_it(evening: Evening) -> None:
    evening.answer()
    evening.press("nn")
    assert evening.judge.asked[0].settled == ("attention.softmax",)
    evening.answer()
    evening.save(softmax_changed)
    assert evening.judge.asked[0].settled == ("attention.scores",)


def test_an_answer_that_nobody_asked_for_is_passed_over(evening: Evening) -> None:
    assert not evening.watching.handle(Done(99))


def test_a_file_that_is_empty_for_a_moment_is_no_save_and_one_that_stays_so_is(evening: Evening) -> None:
    evening.answer()
    assert not evening.save(lambda _: "")
    assert evening.watching.handle(Changed())
    assert evening.asked == [("attention.softmax",)]


def test_hints_come_one_at_a_time_and_are_kept(evening: Evening) -> None:
    evening.press("h")
    assert "hint 1 of 3" in evening.screen
    assert "hint 2 of 3" not in evening.screen
    evening.press("hhh")
    assert "hint 3 of 3" in evening.screen
    assert "the last one" in evening.screen
    assert Kept(evening.kept.path.parents[1]).state.hints == {"attention.softmax": 3}


def test_a_reset_asks_first(evening: Evening) -> None:
    before = (evening.folder / "attention.py").read_bytes()
    evening.press("rn")
    assert "Nothing was changed" in evening.screen
    assert (evening.folder / "attention.py").read_bytes() == before
    evening.press("ry")
    assert ".rowwise/backups/001-attention.py" in evening.screen
    assert evening.asked == [("attention.softmax",)]
    assert b'NotImplementedError("attention.softmax")' in (evening.folder / "attention.py").read_bytes()


def test_a_worksheet_cannot_be_reset_and_the_watch_goes_on(evening: Evening) -> None:
    evening.kept.state.current = "shapes.worksheet"
    other = Evening(evening.kept.path.parents[1], evening.folder)
    other.kept.state.current = "shapes.worksheet"
    other.watching.now.step = next(step for step in other.watching.now.lesson if step.id == "shapes.worksheet")
    other.press("ry")
    assert "no function" in other.screen


def test_all_are_checked_and_listed_and_the_judge_of_the_present_one_stays(evening: Evening) -> None:
    evening.answer()
    evening.press("c")
    assert [(each.assignment.id, each.stays) for each in evening.judge.asked] == [
        ("attention", True),
        ("shapes", False),
    ]
    evening.answer(weights=Status.FAILED)
    assert "Checked all: 17 of 18 pass." in evening.screen
    assert len(evening.kept.state.finished) == 17


def test_the_next_exercise_is_one_that_is_not_finished_and_after_the_last_there_is_none(evening: Evening) -> None:
    evening.press("c")
    evening.answer(weights=Status.FAILED)
    evening.press("n")
    assert evening.watching.view().title.text.startswith("attention.weights")
    evening.answer()
    evening.press("n")
    assert "All exercises are finished" in evening.screen


def test_what_a_change_broke_is_run_though_another_save_came_before_the_verdict(evening: Evening) -> None:
    evening.answer()
    evening.press("n")
    evening.answer()
    evening.save(softmax_changed)
    evening.save(lambda text: text + "\n# a note\n")
    assert evening.asked == [("attention.qkv",), ("attention.softmax",)]
    evening.answer()
    assert "checking" not in evening.watching.foot(0)


def test_what_was_changed_while_nobody_watched_is_run_when_somebody_does(evening: Evening) -> None:
    evening.answer()
    evening.press("n")
    evening.answer()
    file = evening.folder / "attention.py"
    file.write_text(softmax_changed(file.read_text("utf-8")), encoding="utf-8")
    assert Evening(evening.kept.path.parents[1], evening.folder).asked == [("attention.qkv",), ("attention.softmax",)]


def test_a_fault_of_ours_is_told_and_changes_nothing_that_was_done(evening: Evening) -> None:
    evening.answer()
    evening.save(softmax_changed)
    evening.watching.handle(Done(evening.judge.asked[0].number, problem="no judge could be had\nhint: try again"))
    assert "no judge could be had" in evening.screen
    assert evening.kept.state.finished == ["attention.softmax"]


def seen(evening: Evening, got: list[list[float]]) -> None:
    """Answer what was asked: the test saw this matrix."""
    heat = HeatMap(what="the weights", got=got, right=[[0.5, 0.5], [0.25, 0.75]])
    [asked] = evening.judge.asked
    found = [test_of(asked.exercises[0], Status.FAILED).model_copy(update={"heat_maps": [heat]})]
    evening.watching.handle(Done(asked.number, (Checked(asked.exercises[0], found, []),), 0.1))


def test_d_shows_the_picture_and_d_again_what_the_tests_say(evening: Evening) -> None:
    evening.press("d")
    assert "once this exercise is checked" in evening.screen
    seen(evening, [[0.2, 0.4], [0.8, 0.6]])
    assert "It is your columns that sum to 1." in evening.screen
    assert "it saw something" not in evening.screen
    evening.press("d")
    assert "It is your columns that sum to 1." not in evening.screen
    assert "it saw something" in evening.screen


def test_a_picture_is_drawn_anew_with_every_save(evening: Evening) -> None:
    seen(evening, [[0.2, 0.4], [0.8, 0.6]])
    evening.press("d")
    evening.save(softmax_changed)
    seen(evening, [[0.5, 0.5], [0.25, 0.75]])
    assert "Every entry is right." in evening.screen


def test_other_keys_put_the_picture_away(evening: Evening) -> None:
    seen(evening, [[0.2, 0.4], [0.8, 0.6]])
    for key in "hlnr":
        evening.press(f"d{key}")
        assert "d: back" not in evening.screen
        evening.press("x" if key == "r" else "")


def test_an_exercise_without_a_picture_names_those_that_have_one(evening: Evening) -> None:
    evening.press("n")
    evening.answer()
    evening.press("d")
    assert "no picture of this exercise" in evening.screen
    assert "attention.softmax, attention.scores, attention.weights" in evening.screen


def test_where_nothing_was_seen_the_picture_says_how_the_exercise_stands(kit, solved) -> None:
    evening = Evening(kit, solved)
    evening.press("nnn")
    evening.answer(weights=Status.NOT_IMPLEMENTED)
    evening.press("d")
    assert "not implemented" in evening.screen
    assert "there is no picture yet" in evening.screen


def test_a_missing_package_is_told_and_the_other_exercises_can_be_done(kit, solved) -> None:
    manifest = kit / "assignments" / "shapes" / "assignment.toml"
    lacking = manifest.read_text("utf-8").replace('id = "shapes"', 'id = "shapes"\nallowed_imports = ["no_such"]', 1)
    manifest.write_text("\n".join(line for line in lacking.splitlines() if line != "allowed_imports = []"), "utf-8")
    evening = Evening(kit, solved)
    evening.press("c")
    assert [each.assignment.id for each in evening.judge.asked] == ["attention"]
    evening.answer()
    evening.press("n")
    assert "shapes needs no_such" in evening.screen
    assert "pip install no_such" in evening.screen


def test_without_files_it_says_which_are_missing(kit) -> None:
    for file in (kit / "student_template").iterdir():
        file.unlink()
    assert "There is no attention.py" in Evening(kit, kit / "student_template").screen


def test_the_last_line_tells_that_it_is_alive_and_when_it_last_checked(evening: Evening) -> None:
    assert "checking" in evening.watching.foot(0)
    evening.answer()
    assert evening.watching.foot(0) != evening.watching.foot(1)
    assert "12:00:00" in evening.watching.foot(0)


def test_q_ends_it_and_other_keys_do_nothing(evening: Evening) -> None:
    assert not evening.watching.handle(Key("z"))
    evening.press("Q")
    assert evening.watching.ended
    assert evening.watching.goodbye == "0 of 18 finished; it is kept in .rowwise/state.json"


def test_it_speaks_chinese(kit, solved) -> None:
    evening = Evening(kit, solved, "zh-TW")
    evening.answer()
    evening.press("h")
    assert "數值穩定的 softmax" in evening.screen
    assert "這一題完成了" in evening.screen
    assert "提示 1" in evening.screen
