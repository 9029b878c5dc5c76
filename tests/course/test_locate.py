import pytest

from grader.course.locate import assignment_ids, find_course, load_assignments
from grader.model.errors import CourseError, UsageError


@pytest.fixture
def course(make_assignment, manifest_text, tmp_path):
    for name in ("toy", "doll"):
        make_assignment(name, manifest_text.replace('id = "toy"', f'id = "{name}"'))
    return tmp_path


def test_the_course_is_found_from_anywhere_within(course):
    for start in (course, course / "assignments", course / "assignments" / "toy" / "hidden"):
        assert find_course(start) == course.resolve()


def test_the_nearest_course_is_taken(course):
    inner = course / "kit"
    (inner / "assignments" / "toy").mkdir(parents=True)
    (inner / "assignments" / "toy" / "assignment.toml").touch()
    assert find_course(inner) == inner.resolve()


def test_an_assignments_folder_with_nothing_in_it_makes_no_course(course):
    (course / "inner" / "assignments").mkdir(parents=True)
    assert find_course(course / "inner") == course.resolve()


def test_outside_every_course_the_option_is_named(tmp_path):
    with pytest.raises(UsageError, match="no course here") as caught:
        find_course(tmp_path)
    assert "--course" in caught.value.hint


def test_all_assignments_are_told_in_order(course):
    (course / "assignments" / "notes").mkdir()
    assert assignment_ids(course) == ["doll", "toy"]
    assert [found.id for found in load_assignments(course, [])] == ["doll", "toy"]


def test_the_named_ones_are_loaded_once_each_in_the_order_asked_for(course):
    assert [found.id for found in load_assignments(course, ["toy", "doll", "toy"])] == ["toy", "doll"]


def test_a_broken_assignment_does_not_stand_in_the_way_of_another(course):
    (course / "assignments" / "doll" / "assignment.toml").write_text("id =")
    assert [found.id for found in load_assignments(course, ["toy"])] == ["toy"]
    with pytest.raises(CourseError):
        load_assignments(course, [])


@pytest.mark.parametrize(
    ("wanted", "hint"), [("tpy", "did you mean 'toy'?"), ("zebra", "there are: doll, toy"), ("../assignments/toy", "")]
)
def test_an_unknown_assignment_is_answered_with_a_known_one(course, wanted, hint):
    with pytest.raises(UsageError, match="no assignment") as caught:
        load_assignments(course, [wanted])
    assert hint in caught.value.hint


def test_a_course_without_assignments_says_so(tmp_path):
    with pytest.raises(UsageError) as caught:
        load_assignments(tmp_path, ["toy"])
    assert caught.value.hint == "there are: none"
