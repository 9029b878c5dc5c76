from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.locate import load_assignments
from grader.kit.make import make_kit
from grader.model.errors import CourseError, UsageError


def test_a_kit_holds_what_is_allowed_and_nothing_else(course: Path, tmp_path: Path) -> None:
    make_kit(tmp_path / "kit", load_assignments(course, ["attention", "masking"]))
    files = {path.relative_to(tmp_path / "kit").as_posix() for path in (tmp_path / "kit").rglob("*") if path.is_file()}
    allowed = ("assignment.toml", "handout.md", "handout.zh-TW.md", "visible/fingerprints.json")
    assert {".gitignore", ".github/workflows/grade.yml"} <= files
    for name in files - {".gitignore", ".github/workflows/grade.yml", "kit.toml"}:
        home, _, rest = name.removeprefix("assignments/").partition("/")
        written = {"attention.py", "masking.py", "README.md", "README.zh-TW.md"}
        assert name.removeprefix("student_template/") in written or (
            home in {"attention", "masking"} and (rest in allowed or rest.startswith(("visible/test_", "template/")))
        ), name
    assert {
        "assignments/attention/assignment.toml",
        "assignments/attention/handout.zh-TW.md",
        "student_template/masking.py",
    } <= files


def test_a_kit_has_what_an_assignment_gives_as_it_is(course: Path, tmp_path: Path) -> None:
    written = make_kit(tmp_path / "kit", load_assignments(course, ["generation"]))
    names = [path.relative_to("student_template").as_posix() for path in written if path.parts[0] == "student_template"]
    assert {"generation.py", "homework11.py", "hw11/loop.py"} <= set(names)
    assert not [name for name in names if "__pycache__" in name]
    for name in names:
        assert (tmp_path / "kit/student_template" / name).read_bytes() == (
            course / "student_template" / name
        ).read_bytes()


def test_what_two_assignments_give_is_there_once(course: Path, tmp_path: Path) -> None:
    [found] = load_assignments(course, ["generation"])
    written = make_kit(tmp_path / "kit", [found, found])
    assert len(written) == len(set(written))


def test_what_an_assignment_gives_and_the_course_lacks_is_named(course: Path, tmp_path: Path) -> None:
    [found] = load_assignments(course, ["generation"])
    lacking = replace(found, manifest=found.manifest.model_copy(update={"given_files": ["lost"]}))
    with pytest.raises(CourseError, match="student_template/lost"):
        make_kit(tmp_path / "kit", [lacking])


def test_fingerprints_hold_no_code(course: Path) -> None:
    for assignment in load_assignments(course, ["attention", "masking"]):
        text = assignment.fingerprints.read_text("utf-8")
        assert "def " not in text
        assert "lambda" not in text
        assert set(json.loads(text)) <= {"schema_version", "words", "calls", "loose"}


def test_a_folder_with_something_in_it_is_refused(course: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(UsageError, match="not empty"):
        make_kit(tmp_path, load_assignments(course, ["masking"]))


def test_a_missing_part_is_named_with_how_to_make_it(course: Path, tmp_path: Path) -> None:
    folder = tmp_path / "course" / "assignments" / "masking"
    folder.mkdir(parents=True)
    (folder / "assignment.toml").write_text(
        (course / "assignments/masking/assignment.toml").read_text("utf-8"), encoding="utf-8"
    )
    with pytest.raises(CourseError, match=r"fingerprints\.json") as raised:
        make_kit(tmp_path / "kit", load_assignments(tmp_path / "course", ["masking"]))
    assert "verify --lock" in raised.value.hint


def test_the_courses_own_workflow_comes_before_the_usual_one(course: Path, tmp_path: Path) -> None:
    [found] = load_assignments(course, ["masking"])
    usual = {
        name: (course / "student_template" / name).read_bytes()
        for name in (".gitignore", ".github/workflows/grade.yml")
    }
    shutil.copytree(course / "assignments/masking", tmp_path / "course/assignments/masking")
    (tmp_path / "course/student_template").mkdir()
    shutil.copy(found.template("masking"), tmp_path / "course/student_template")
    make_kit(tmp_path / "kit", load_assignments(tmp_path / "course", []))
    assert usual == {name: (tmp_path / "kit" / name).read_bytes() for name in usual}
    (tmp_path / "course/student_template/.gitignore").write_text("mine\n")
    make_kit(tmp_path / "other", load_assignments(tmp_path / "course", []))
    assert (tmp_path / "other/.gitignore").read_text() == "mine\n"


def test_what_commands_write_in_a_kit_is_not_committed_and_a_run_is(course: Path, tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    make_kit(kit, load_assignments(course, ["masking"]))
    assert (kit / ".gitignore").read_bytes() == (course / "grader" / "kit" / "starter" / "gitignore.txt").read_bytes()
    written = ["ada.zip", "ada.receipt.json", "pictures/masking.softmax.svg", ".rowwise/state.json"]
    handed_in = ["student_template/run/loss.png", "student_template/run/run.json", "kit.toml"]
    subprocess.run(["git", "init", "-q", kit], check=True)
    told = subprocess.run(
        ["git", "check-ignore", *written, *handed_in], cwd=kit, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == written
