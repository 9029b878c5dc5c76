"""What is known is not judged again; what was found out is kept before it is told."""

from __future__ import annotations

import json
import secrets
import subprocess
import tracemalloc
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch import run as batch
from grader.batch.finished import Finished, How
from grader.batch.folder import REPORTS
from grader.batch.ledger import Keeping
from grader.batch.run import grade_all
from grader.course.assignment import load_assignment
from grader.gradebook.book import FILE_NAME, Book
from grader.intake.discover import discover
from grader.judge.job import Job
from grader.model.errors import GraderError
from grader.model.evidence import Evidence, IsolationInfo, OutputInfo, TestEvidence
from grader.model.verdict import Status
from grader.pipeline import gather
from grader.pipeline.settings import Settings, prepare
from tests.e2e.toy import hand_in, toy_course
from tests.faults.compare import differences, reports

RIGHT, WRONG = "def double(x):\n    return 2 * x\n", "def double(x):\n    return 3 * x\n"


class Class:
    """A class with a judge that counts, and reads the verdict off the source."""

    def __init__(self, folder: Path) -> None:
        self.course = toy_course(folder / "course")
        self.out = folder / "out"
        self.judged: Counter[str] = Counter()
        self.status: dict[str, Status] = {}
        self.key = b"k" * 32
        self.level = "none"
        for student in ("ada", "bob"):
            self.hand_in(student, RIGHT)

    def hand_in(self, student: str, source: str) -> None:
        path = self.course / "class" / student / "toy.py"
        if path.exists():
            path.write_text(source, encoding="utf-8")
        else:
            hand_in(self.course, student, source)

    def judge(self, job: Job, *_: object) -> Evidence:
        self.judged[job.student or ""] += 1
        right = job.files.get("toy.py") == RIGHT.encode()
        status = self.status.get(job.student or "", Status.PASSED if right else Status.FAILED)
        tests = [
            TestEvidence(
                id=name, suite=name.partition("/")[0], tier="core", exercise="toy.double", status=status, seed=seed
            )
            for name, seed in job.seeds.items()
        ]
        held = IsolationInfo(level=self.level, guarantees={}, findings=[], kernel="6.1", landlock_abi=4)
        return Evidence(assignment="toy", tests=tests, isolation=held, timings={"t": 1 / (1 + self.judged.total())})

    def grade(self, out: Path | None = None, **keeping: object) -> dict[str, Finished]:
        self.judged.clear()
        settings = Settings(
            [prepare(load_assignment(self.course / "assignments" / "toy"))], key=self.key, backend=self.level
        )
        settings = replace(settings, only=tuple(keeping.pop("only", ())))
        found = discover([self.course / "class"], ["toy.py"])
        ran = grade_all(found, settings, jobs=1, out=out or self.out, keeping=Keeping(**keeping))
        return {each.row.id: each for each in ran}

    def edit(self, name: str, before: str, after: str) -> None:
        path = self.course / name
        path.write_text(path.read_text("utf-8").replace(before, after), encoding="utf-8")


MANIFEST = "assignments/toy/assignment.toml"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    made = Class(tmp_path)
    monkeypatch.setattr(gather, "judged", made.judge)
    return made


def test_a_second_run_judges_nobody_and_writes_no_report(room: Class) -> None:
    assert {each.how for each in room.grade().values()} == {How.JUDGED}
    before = {path: path.stat().st_mtime_ns for path in room.out.glob("*/*.json")}
    again = room.grade()
    assert not room.judged
    assert {each.how for each in again.values()} == {How.LEFT}
    assert {path: path.stat().st_mtime_ns for path in room.out.glob("*/*.json")} == before
    assert len(before) == 4


def test_what_is_told_of_a_submission_that_is_left_is_what_was_told_of_it(room: Class) -> None:
    room.hand_in("bob", WRONG)
    first = {name: each.line for name, each in room.grade().items()}
    summary = json.loads((room.out / "summary.json").read_text("utf-8"))
    assert {name: each.line for name, each in room.grade().items()} == first
    again = json.loads((room.out / "summary.json").read_text("utf-8"))
    assert again | {"timings": {}} == summary | {"timings": {}}


def test_a_submission_that_changed_is_judged_and_the_others_are_not(room: Class) -> None:
    room.grade()
    room.hand_in("bob", WRONG)
    again = room.grade()
    assert room.judged == {"bob": 1}
    assert (again["bob"].row.score, again["bob"].why) == (0, "other files")
    assert again["ada"].how is How.LEFT


def test_files_that_are_as_they_were_once_are_known(room: Class) -> None:
    room.grade()
    room.hand_in("bob", WRONG)
    room.grade()
    room.hand_in("bob", RIGHT)
    again = room.grade()
    assert not room.judged
    assert (again["bob"].how, again["bob"].row.score) == (How.SCORED, 10)


@pytest.mark.parametrize(
    ("before", "after"), [("points = 10", "points = 20"), ('en = "Double"', 'en = "Twice"'), ("加倍", "兩倍")]
)
def test_points_and_titles_are_put_to_what_was_found_out_before(
    room: Class, monkeypatch: pytest.MonkeyPatch, before: str, after: str
) -> None:
    room.grade()
    room.edit(MANIFEST, before, after)
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", None)  # no judge, no zygote, no worker
        again = room.grade()
    assert not room.judged
    assert {each.how for each in again.values()} == {How.SCORED}
    assert {each.row.score for each in again.values()} == {20 if "20" in after else 10}
    stored = reports(room.out)
    fresh = room.out.with_name("fresh")
    room.grade(fresh)
    assert room.judged == {"ada": 1, "bob": 1}
    assert differences(reports(fresh), stored) == []


CHANGES = {
    "hidden suite": ("assignments/toy/hidden/test_double.py", "arange(3.0)", "arange(4.0)"),
    "reference": ("reference/toy.py", "2 * x", "x + x"),
    "limits": (MANIFEST, "[[exercises]]", "[limits]\ncpu_seconds = 3.0\n[[exercises]]"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_decides_a_verdict_has_all_judged_again_and_says_so(room: Class, change: str) -> None:
    room.grade()
    room.edit(*CHANGES[change])
    again = room.grade()
    assert room.judged == {"ada": 1, "bob": 1}
    assert again["ada"].why == "another suite or reference"


def test_another_key_and_another_level_have_all_judged_again_and_say_so(room: Class) -> None:
    room.grade()
    room.key = b"l" * 32
    assert room.grade()["ada"].why == "another course key"
    room.level = "weak"
    assert room.grade()["ada"].why == "another level of isolation"
    room.level, room.key = "none", b"k" * 32
    assert {each.how for each in room.grade().values()} == {How.SCORED}


def test_the_key_itself_is_nowhere_in_the_gradebook(room: Class) -> None:
    room.grade()
    content = (room.out / FILE_NAME).read_bytes()
    assert room.key not in content
    assert room.key.hex().encode() not in content


def test_by_force_all_are_judged_again_and_it_is_said_why(room: Class) -> None:
    room.grade()
    room.hand_in("bob", WRONG)
    again = room.grade(force=True)
    assert room.judged == {"ada": 1, "bob": 1}
    assert {name: each.why for name, each in again.items()} == {"ada": "forced", "bob": "other files"}


def test_a_fault_of_ours_is_tried_again_and_a_verdict_is_not(room: Class) -> None:
    room.status = {"ada": Status.GRADER_ERROR, "bob": Status.TIMEOUT}
    assert room.grade()["ada"].row.score is None
    room.status = {}
    again = room.grade()
    assert room.judged == {"ada": 1}
    assert (again["ada"].row.score, again["bob"].row.status) == (10, Status.TIMEOUT)


def test_part_of_an_assignment_is_kept_but_is_no_score_of_it(room: Class) -> None:
    room.grade(only=["toy.double"])
    assert {each.how for each in room.grade(only=["toy.double"]).values()} == {How.LEFT}
    with Book(room.out / FILE_NAME) as book:
        assert book.rows("SELECT count(*) FROM scores") == [(0,)]
    assert {each.how for each in room.grade().values()} == {How.JUDGED}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_that_was_changed_or_lost_is_written_again(room: Class, name: str) -> None:
    room.grade()
    before = reports(room.out)
    (room.out / "ada" / name).write_text("{}")
    (room.out / "bob" / name).unlink()
    assert {each.how for each in room.grade().values()} == {How.SCORED}
    assert not room.judged
    assert differences(before, reports(room.out)) == []


def test_several_folders_may_share_one_gradebook(room: Class, tmp_path: Path) -> None:
    room.grade(file=tmp_path / "all.db")
    assert {each.how for each in room.grade(tmp_path / "two", file=tmp_path / "all.db").values()} == {How.SCORED}
    assert not room.judged
    assert differences(reports(room.out), reports(tmp_path / "two")) == []
    assert not (room.out / FILE_NAME).exists()


def test_what_was_found_out_is_kept_before_a_report_is_written(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise GraderError("the disk is full")

    monkeypatch.setattr(batch, "write_report", refuse)
    with pytest.raises(GraderError, match="the disk is full"):
        room.grade()
    assert room.judged
    monkeypatch.undo()
    monkeypatch.setattr(gather, "judged", room.judge)
    again = room.grade()
    assert [each.how for each in again.values()].count(How.SCORED) == 1
    assert room.judged.total() == 1


def test_where_no_file_could_be_taken_the_reason_is_part_of_what_is_known(room: Class) -> None:
    (room.course / "class" / "bob" / "toy.py").unlink()
    (room.course / "class" / "bob" / "Toy.py").touch()
    first = room.grade()["bob"]
    assert (first.row.status, first.row.score) == (Status.IMPORT_ERROR, 0)
    assert room.grade()["bob"].how is How.LEFT
    (room.course / "class" / "bob" / "Toy.py").unlink()
    assert room.grade()["bob"].line.seen != first.line.seen


def test_the_class_is_forgotten_as_it_is_graded(room: Class) -> None:
    found = discover([room.course / "class"], ["toy.py"])
    settings = Settings([prepare(load_assignment(room.course / "assignments" / "toy"))], key=room.key, backend="none")
    ran = grade_all(found, settings, jobs=1, out=room.out)
    next(ran)
    assert found == []
    ran.close()


def test_a_run_that_was_stopped_is_taken_up_where_it_was(room: Class) -> None:
    found = discover([room.course / "class"], ["toy.py"])
    settings = Settings([prepare(load_assignment(room.course / "assignments" / "toy"))], key=room.key, backend="none")
    ran = grade_all(found, settings, jobs=1, out=room.out)
    first = next(ran)
    ran.close()
    again = room.grade()
    assert again[first.row.id].how is How.LEFT
    assert first.row.id not in room.judged


def test_what_is_finished_takes_no_memory(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    large = 100_000

    def judge(job: Job, *_: object) -> Evidence:
        found = room.judge(job)
        return found.model_copy(update={"output": OutputInfo(text=secrets.token_hex(large // 2))})

    monkeypatch.setattr(gather, "judged", judge)
    for number in range(24):
        room.hand_in(f"s{number}", RIGHT)
    tracemalloc.start()
    try:
        room.grade()
        judged, now = tracemalloc.get_traced_memory()[1], room.judged.total()
        room.edit(MANIFEST, "points = 10", "points = 20")
        tracemalloc.reset_peak()
        room.grade()
        scored = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (now, room.judged.total()) == (26, 0)
    assert max(judged, scored) < 16 * large, "of 26 submissions a few at a time"
