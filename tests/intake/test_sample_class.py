"""The sample class holds what it says: what students hand in, byte for byte."""

import tomllib
from pathlib import Path

import pytest

from grader.intake.discover import discover

CLASS = Path(__file__).resolve().parents[2] / "assignments" / "attention" / "sample_class"
STUDENTS = sorted(path.parent.name for path in CLASS.glob("*/expected.toml"))
STATUSES = {"passed", "partial", "failed", "not_implemented", "import_error", "timeout", "crashed", "blocked"}


@pytest.fixture(scope="module")
def found():
    return {submission.id: submission for submission in discover([CLASS], {"attention.py"})}


def expected(student):
    return tomllib.loads((CLASS / student / "expected.toml").read_text("utf-8"))


def test_every_student_is_found_and_nothing_else(found):
    assert list(found) == STUDENTS
    assert len(STUDENTS) == 19


@pytest.mark.parametrize("student", STUDENTS)
def test_each_verdict_names_every_exercise(student):
    manifest = tomllib.loads((CLASS.parent / "assignment.toml").read_text("utf-8"))
    verdict = expected(student)
    assert set(verdict) <= {"kind", "score", "exercises", "carried", "diagnoses"}
    assert list(verdict["exercises"]) == [exercise["id"] for exercise in manifest["exercises"]]
    assert set(verdict["exercises"].values()) <= STATUSES
    passed = sum(e["points"] for e in manifest["exercises"] if verdict["exercises"][e["id"]] == "passed")
    assert passed <= verdict["score"] <= 100
    assert ("partial" in verdict["exercises"].values()) == (passed < verdict["score"])


def test_all_kinds_differ():
    assert len({expected(student)["kind"] for student in STUDENTS}) == len(STUDENTS)


def test_only_the_misnamed_file_is_not_taken(found):
    assert [student for student, submission in found.items() if submission.problems] == ["kwame"]
    [problem] = found["kwame"].problems
    assert problem.message == "attention.py is missing: found attention (1).py instead"
    assert [student for student, submission in found.items() if not submission.files] == ["kwame"]


def test_the_expected_verdict_is_never_part_of_a_submission(found):
    assert not any("expected.toml" in (*submission.files, *submission.ignored) for submission in found.values())


def test_the_zip_in_a_folder_of_its_own_is_opened(found):
    assert set(found["rosa"].files) == {"attention.py"}
    assert found["rosa"].ignored == ("attention.zip/attention/README.txt",)


def test_the_bytes_are_those_that_were_handed_in(found):
    windows = found["sven"].files["attention.py"]
    assert windows.count(b"\r\n") == windows.count(b"\n") > 100
    with pytest.raises(UnicodeDecodeError):
        found["quentin"].files["attention.py"].decode()
    with pytest.raises(SyntaxError):
        compile(found["lucia"].files["attention.py"], "attention.py", "exec")
    for student in set(STUDENTS) - {"kwame", "lucia", "quentin"}:
        compile(found[student].files["attention.py"], "attention.py", "exec")


def test_no_two_students_handed_in_the_same(found):
    assert len({submission.digest for submission in found.values()}) == len(STUDENTS)
