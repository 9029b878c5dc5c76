import pytest

from grader.course.assignment import Assignment
from grader.model.manifest import Limits, Text
from grader.pipeline.digest import evidence_digest, suite_digest
from tests.model.toy import exercise, manifest

DECIDING = [
    "assignments/toy/assignment.toml",
    "assignments/toy/worksheet.toml",
    "assignments/toy/tests.lock",
    "assignments/toy/misconceptions.py",
    "assignments/toy/hidden/test_a.py",
    "assignments/toy/hidden/deep/data.json",
    "assignments/toy/visible/test_a.py",
    "assignments/toy/right_run/run.json",
    "reference/toy.py",
]
OTHER = [
    "assignments/toy/handout.md",
    "assignments/toy/hidden/__pycache__/test_a.cpython-311.pyc",
    "assignments/toy/sample_class/ann/toy.py",
    "assignments/doll/hidden/test_a.py",
    "reference/doll.py",
    "student_template/toy.py",
]


@pytest.fixture
def assignment(tmp_path) -> Assignment:
    for name in DECIDING + OTHER:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return Assignment(manifest(exercise("toy.double")), tmp_path / "assignments" / "toy", tmp_path)


@pytest.mark.parametrize("name", DECIDING)
def test_whatever_decides_a_verdict_is_in_the_digest(assignment, name):
    before = suite_digest(assignment)
    (assignment.course / name).write_text("changed")
    changed = suite_digest(assignment)
    (assignment.course / name).unlink()
    assert len({before, changed, suite_digest(assignment)}) == 3


@pytest.mark.parametrize("name", OTHER)
def test_whatever_does_not_is_not(assignment, name):
    before = suite_digest(assignment)
    (assignment.course / name).write_text("changed")
    assert suite_digest(assignment) == before


def test_a_file_under_another_name_is_another_suite(assignment):
    before = suite_digest(assignment)
    file = assignment.folder / "hidden" / "test_a.py"
    file.rename(file.with_name("test_b.py"))
    assert suite_digest(assignment) != before


def test_what_moves_from_one_file_to_the_next_changes_the_digest(assignment):
    hidden = assignment.folder / "hidden"
    (hidden / "test_a.py").write_text("one")
    (hidden / "test_b.py").write_text("two")
    before = suite_digest(assignment)
    (hidden / "test_a.py").write_text("onet")
    (hidden / "test_b.py").write_text("wo")
    assert suite_digest(assignment) != before


def test_a_course_elsewhere_has_the_same_digest(assignment, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "course"
    before = suite_digest(assignment)
    assignment.course.rename(elsewhere)
    moved = Assignment(assignment.manifest, elsewhere / "assignments" / "toy", elsewhere)
    assert suite_digest(moved) == before
    assert len(before) == 64


@pytest.mark.parametrize("name", [name for name in DECIDING if not name.endswith("assignment.toml")])
def test_whatever_decides_what_a_judge_finds_out_is_in_the_digest_of_evidence(assignment, name):
    before = evidence_digest(assignment)
    (assignment.course / name).write_text("changed")
    assert evidence_digest(assignment) != before


def test_points_titles_and_what_comes_before_are_not_in_the_digest_of_evidence_and_limits_are(assignment):
    before = evidence_digest(assignment)

    def changed(**keys: object) -> str:
        manifest = assignment.manifest.model_copy(update=keys)
        return evidence_digest(Assignment(manifest, assignment.folder, assignment.course))

    (first,) = assignment.manifest.exercises
    other = Text.model_validate({"en": "x", "zh-TW": "x"})
    assert changed(exercises=[first.model_copy(update={"points": 99.0, "title": other})], title=other) == before
    assert changed(after=["doll"]) == before
    assert changed(limits=Limits(cpu_seconds=9.0)) != before
    assert changed(exercises=[first.model_copy(update={"names": ["triple"]})]) != before


def test_what_the_reference_imports_of_itself_decides_too(assignment):
    (assignment.course / "reference" / "toy.py").write_text("from doll import head\nimport numpy")
    (assignment.course / "reference" / "doll.py").write_text("import toy")
    before = evidence_digest(assignment), suite_digest(assignment)
    (assignment.course / "reference" / "doll.py").write_text("import toy  # changed")
    assert evidence_digest(assignment) != before[0]
    assert suite_digest(assignment) != before[1]
