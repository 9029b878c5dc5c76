import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.course.lock import LockedTest, read_lock, write_lock
from grader.model.errors import CourseError
from grader.model.verdict import Suite, Tier

WORD = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=12)
TESTS = st.lists(
    st.builds(LockedTest, st.sampled_from(Suite), st.sampled_from(Tier), WORD, WORD), unique_by=lambda test: test.id
)


def refusal(path) -> CourseError:
    with pytest.raises(CourseError) as caught:
        read_lock(path)
    assert caught.value.where == path
    return caught.value


def test_comments_and_empty_lines_are_no_tests(make_assignment):
    assert [test.id for test in read_lock(make_assignment() / "tests.lock")] == [
        "hidden/test_double.py::test_values",
        "hidden/test_double.py::test_of[a b]",
        "visible/test_treble.py::test_values",
    ]


@settings(deadline=None)
@given(TESTS)
def test_a_lock_written_down_reads_the_same(tmp_path_factory, tests):
    path = tmp_path_factory.mktemp("lock") / "tests.lock"
    write_lock(path, tests)
    assert sorted(read_lock(path)) == sorted(tests)


@settings(deadline=None)
@given(TESTS, st.randoms())
def test_the_order_of_collection_does_not_show_in_the_lock(tmp_path_factory, tests, random):
    folder = tmp_path_factory.mktemp("lock")
    write_lock(folder / "a", tests)
    random.shuffle(tests)
    write_lock(folder / "b", iter(tests))
    assert (folder / "a").read_bytes() == (folder / "b").read_bytes()


def test_a_missing_lock_says_which_command_makes_it(make_assignment):
    error = refusal(make_assignment(lock=None) / "tests.lock")
    assert error.hint == "run `grader verify --lock toy`"


@pytest.mark.parametrize(
    "line", ["hidden core toy.double", "secret core toy.double a::b", "hidden main toy.double a::b"]
)
def test_a_line_that_is_none_is_told_with_its_number(make_assignment, line):
    error = refusal(make_assignment(lock=f"# header\nhidden core toy.double a::b\n{line}\n") / "tests.lock")
    assert error.line == 3
    assert line in error.message


def test_a_byte_that_is_not_utf_8_is_told_with_its_line(make_assignment):
    error = refusal(make_assignment(lock=b"# header\nhidden cor\xe9 toy.double a::b\n") / "tests.lock")
    assert error.line == 2


def test_a_test_that_stands_twice_is_refused(make_assignment):
    text = "hidden core toy.double a::b\nhidden edge toy.treble a::b\n"
    assert "a::b stands twice" in refusal(make_assignment(lock=text) / "tests.lock").message
