"""The data that students are given are those of the manifest, and a right run is whole."""

import pytest

from grader.course.assignment import load_assignment
from grader.course.runs import check_data, right_run
from grader.model.errors import CourseError
from tests.e2e.toy_run import RIGHT, run_course


@pytest.fixture
def home(tmp_path):
    return run_course(tmp_path) / "assignments" / "toy"


def test_a_right_run_is_read_by_the_names_of_the_manifest(home):
    found = right_run(load_assignment(home))
    assert {name: content.decode() for name, content in found.items()} == {
        k: v for k, v in RIGHT.items() if k != "toy.py"
    }


def test_a_right_run_that_is_not_whole_is_the_course_s_fault(home):
    (home / "right_run" / "answers.md").unlink()
    with pytest.raises(CourseError, match="right run cannot be read"):
        right_run(load_assignment(home))


def test_data_that_changed_or_are_gone_are_the_course_s_fault(home):
    check_data(load_assignment(home))
    (home / "data" / "corpus.txt").write_text("other")
    with pytest.raises(CourseError, match="the manifest says"):
        check_data(load_assignment(home))
    (home / "data" / "corpus.txt").unlink()
    with pytest.raises(CourseError, match="cannot be read"):
        check_data(load_assignment(home))
