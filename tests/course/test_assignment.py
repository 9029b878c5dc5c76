import pytest

from grader.course.assignment import load_assignment
from grader.model.errors import CourseError
from grader.model.verdict import Suite


def test_an_assignment_knows_where_its_parts_lie(make_assignment, tmp_path):
    found = load_assignment(make_assignment())
    home = tmp_path / "assignments" / "toy"
    assert found.id == "toy"
    assert found.course == tmp_path
    assert found.suite(Suite.VISIBLE) == home / "visible"
    assert found.reference("toy") == tmp_path / "reference" / "toy.py"
    assert found.template("toy") == tmp_path / "student_template" / "toy.py"
    assert found.misconceptions == home / "misconceptions.py"
    assert found.fingerprints == home / "visible" / "fingerprints.json"


def test_right_answers_are_told_in_the_order_of_their_names(make_assignment):
    found = load_assignment(make_assignment())
    assert found.right_answers == []
    (found.folder / "right_answers").mkdir()
    for name in ("loops.py", "einsum.py", "notes.md"):
        (found.folder / "right_answers" / name).touch()
    assert [path.name for path in found.right_answers] == ["einsum.py", "loops.py"]


def test_what_has_no_hidden_suite_is_a_kit(make_assignment):
    home = make_assignment()
    assert not load_assignment(home).is_kit
    (home / "hidden").rmdir()
    assert load_assignment(home).is_kit


def test_the_folder_is_called_as_the_assignment(make_assignment):
    with pytest.raises(CourseError, match="id is 'toy', but the folder is called 'doll'"):
        load_assignment(make_assignment("doll"))


def test_a_folder_without_a_manifest_is_no_assignment(tmp_path):
    with pytest.raises(CourseError, match="there is no such file"):
        load_assignment(tmp_path)


def test_the_lock_holds_tests_of_the_manifest_s_exercises_only(make_assignment):
    found = load_assignment(make_assignment(lock="hidden core toy.single a::b\n"))
    with pytest.raises(CourseError, match=r"test a::b belongs to 'toy\.single'") as caught:
        found.lock()
    assert "verify --lock" in caught.value.hint


def test_the_lock_is_read(make_assignment):
    assert len(load_assignment(make_assignment()).lock()) == 3


def test_a_material_that_is_not_there_is_told_with_its_place_and_what_to_do(make_assignment, manifest_text):
    text = manifest_text.replace("[limits]", '[[materials]]\nfile = "tools.py"\nnames = ["tally"]\n\n[limits]')
    found = load_assignment(make_assignment(text=text))
    with pytest.raises(CourseError, match=r"materials/tools\.py: the manifest names this material") as raised:
        _ = found.materials
    assert "take it out of `materials`" in raised.value.hint
    path = found.folder / "materials" / "tools.py"
    path.parent.mkdir()
    path.touch()
    assert found.materials == {"tools.py": path}
