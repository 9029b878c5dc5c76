import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.verdict import Status, most_telling

ANY = st.lists(st.sampled_from(Status))


def test_our_own_fault_is_told_before_any_of_the_student_s():
    assert most_telling(Status) is Status.GRADER_ERROR
    assert [status for status in Status if status.is_ours] == [Status.GRADER_ERROR]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Status.IMPORT_ERROR, Status.FAILED),
        (Status.TIMEOUT, Status.BLOCKED),
        (Status.NOT_IMPLEMENTED, Status.FAILED),
        (Status.CRASHED, Status.NOT_IMPLEMENTED),
        (Status.PARTIAL, Status.PASSED),
    ],
)
def test_a_cause_is_told_before_what_follows_from_it(first, second):
    assert most_telling([second, first]) is most_telling([first, second]) is first


def test_silence_is_no_pass():
    assert most_telling([]) is Status.FAILED


@given(ANY)
def test_the_order_in_which_tests_ran_does_not_matter(statuses):
    assert most_telling(statuses) is most_telling(reversed(statuses))


@given(ANY, st.sampled_from(Status))
def test_passed_is_said_only_where_everything_passed(statuses, other):
    told = most_telling([*statuses, other])
    assert (told is Status.PASSED) == all(status is Status.PASSED for status in [*statuses, other])
