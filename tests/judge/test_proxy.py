import time
from contextlib import suppress

import numpy as np
import pytest

from grader.judge.budget import CallBudget
from grader.judge.direct import DirectCaller
from grader.judge.proxy import Submission, log_of, status_of
from grader.judge.record import Outcome
from grader.model.verdict import Status
from grader.testing.student import Cause, StudentError
from tests.judge import toy as t

EXERCISES = ["toy.normalise", "toy.blend"]


class Lost:
    """A caller whose worker never answers."""

    def call(self, request, budget=None, /):
        raise StudentError(Status.TIMEOUT, Cause(message=f"{request.function} hung"))


@pytest.fixture
def submission(toy) -> Submission:
    return Submission(toy.hand_in(t.IN_PLACE), EXERCISES)


def test_a_function_reads_as_if_it_were_local(submission):
    x = np.ones((2, 2))
    np.testing.assert_array_equal(submission.normalise(x), x / 2)
    np.testing.assert_array_equal(submission.blend(v=x, w=x), x)


def test_every_call_is_remembered_with_its_arguments_before_and_after(submission):
    x = np.ones((2, 2))
    submission.normalise(x=x)
    (call,) = log_of(submission).calls
    assert (call.request.function, call.request.args, list(call.request.kwargs)) == ("normalise", (), ["x"])
    np.testing.assert_array_equal(call.request.kwargs["x"], np.ones((2, 2)))
    np.testing.assert_array_equal(call.outcome.kwargs["x"], np.ones((2, 2)) / 2)


def test_a_function_knows_its_name_and_what_became_of_its_arguments(submission):
    normalise = submission.normalise
    normalise(np.ones((1, 4)))
    assert normalise.name == "normalise"
    (after,), named = normalise.arguments_after
    assert (after.tolist(), named) == ([[0.25] * 4], {})


def test_arguments_after_a_call_are_the_test_s_own(submission):
    blend, x = submission.blend, np.ones((2, 2))
    blend(v=x, w=x)
    blend.arguments_after[1]["v"][0] = 7
    assert blend.arguments_after[1]["v"].tolist() == [[1, 1], [1, 1]]
    (call,) = log_of(submission).calls
    assert call.request.kwargs["v"].tolist() == [[1, 1], [1, 1]]


def test_what_the_student_s_code_raises_is_remembered_and_raised(submission):
    with pytest.raises(StudentError) as caught:
        submission.normalise(np.ones(2))
    assert caught.value.is_a("ValueError")
    assert caught.value.status is Status.FAILED
    assert log_of(submission).calls[0].outcome.raised.types[0] == "ValueError"


def test_a_call_that_never_came_back_counts_but_says_nothing():
    submission = Submission(Lost(), EXERCISES)
    with pytest.raises(StudentError):
        submission.normalise(1)
    log = log_of(submission)
    assert (log.made, log.calls) == (1, [])
    assert log.seconds >= 0


def test_a_call_beyond_the_budget_is_not_made(toy):
    submission = Submission(toy.hand_in(t.RIGHT), EXERCISES, budget=CallBudget(2))
    for _ in range(2):
        submission.normalise(np.ones((2, 2)))
    with pytest.raises(StudentError, match="call 3 of this test, to normalise: a test may make 2, calls back included"):
        submission.normalise(np.ones((2, 2)))
    assert (log_of(submission).made, len(log_of(submission).calls)) == (2, 2)


def test_a_budget_overdrawn_while_a_call_ran_ends_that_call():
    class CallingBack:
        def call(self, request, budget=None, /):
            with suppress(StudentError):  # as a submission would that catches what its call back raises
                for _ in range(10):
                    budget.spend("back from normalise")
            return Outcome(1)

    with pytest.raises(StudentError) as caught:
        Submission(CallingBack(), EXERCISES, budget=CallBudget(5)).normalise(1)
    assert caught.value.status is Status.TIMEOUT
    assert "call 6 of this test, back from normalise" in str(caught.value)


def test_private_names_are_no_functions_of_a_submission(submission):
    with pytest.raises(AttributeError):
        submission._repr_html_()
    assert not hasattr(submission, "__array__")


def test_an_exercise_may_have_any_name_but_a_private_one(submission):
    public = [name for name in dir(submission) if not name.startswith("_")]
    assert public == []
    for name in ("calls", "made", "make", "seconds", "log", "function"):
        assert getattr(submission, name).name == name


def test_a_function_that_nobody_wrote_shows_when_it_is_called(toy):
    missing = Submission(DirectCaller(), EXERCISES).normalise
    with pytest.raises(StudentError):
        missing(1)


@pytest.mark.parametrize(
    ("types", "message", "status"),
    [
        (("Blocked", "BaseException"), "scipy.special.softmax is forbidden", Status.BLOCKED),
        (("MemoryError", "Exception"), "", Status.MEMORY),
        (("NotImplementedError", "RuntimeError"), "toy.blend", Status.NOT_IMPLEMENTED),
        (("NotImplementedError", "RuntimeError"), "some other reason", Status.FAILED),
        (("RuntimeError",), "toy.blend", Status.FAILED),
        (("SystemExit", "BaseException"), "0", Status.FAILED),
        ((), "", Status.FAILED),
    ],
)
def test_what_an_exception_of_the_student_s_code_means(types, message, status):
    assert status_of(Cause(types, message), EXERCISES) is status


def test_what_a_test_changes_after_a_call_is_not_what_is_remembered(submission):
    x = np.ones((2, 2))
    submission.normalise(x)
    x[:] = 7
    np.testing.assert_array_equal(log_of(submission).calls[0].request.args[0], np.ones((2, 2)))


class Listing:
    """A caller that returns lists, and gives back the list that it was passed."""

    def call(self, request, budget=None, /):
        return Outcome(value={"rows": [[1, 2], (3, [4])]}, args=request.args)


def test_what_a_test_changes_in_a_returned_list_is_not_what_is_remembered():
    submission = Submission(Listing(), EXERCISES)
    function = submission.rows
    got = function([5])
    got["rows"][0].append(9)
    got["rows"][1][1].clear()
    got.clear()
    function.arguments_after[0][0].append(9)
    (call,) = log_of(submission).calls
    assert call.outcome.value == {"rows": [[1, 2], (3, [4])]}
    assert call.outcome.args == ([5],)


class Dying:
    """A caller whose worker takes a while, and then dies."""

    def call(self, request, budget=None, /):
        time.sleep(0.02)
        raise StudentError(Status.CRASHED, Cause(message="its process ended"))


def test_calls_that_die_use_up_the_exercise_s_time_like_calls_that_return():
    dying = Submission(Dying(), EXERCISES, patience=0.05)
    met = []
    for _ in range(3):
        with pytest.raises(StudentError) as caught:
            dying.normalise(np.ones(2))
        met.append(caught.value.status)
    assert met[0] is Status.CRASHED
    assert met[-1] is Status.TIMEOUT


class Generous:
    """A caller that returns an array of so many bytes, none of which takes memory until it is written to."""

    def __init__(self, size: int) -> None:
        self.size = size

    def call(self, request, budget=None, /):
        return Outcome(np.zeros(self.size, dtype=np.uint8))


def test_calls_are_remembered_up_to_a_size_and_the_test_goes_on():
    submission = Submission(Generous(20 << 20), EXERCISES)
    for _ in range(10):
        assert submission.normalise().size == 20 << 20
    assert (len(log_of(submission).calls), log_of(submission).made) == (3, 10)


def test_what_a_test_passed_on_counts_as_remembered_too():
    submission = Submission(Generous(20 << 20), EXERCISES)
    for _ in range(3):
        submission.normalise(submission.normalise())
    assert len(log_of(submission).calls) == 2


def test_what_one_test_is_given_altogether_is_limited():
    submission = Submission(Generous(1 << 30), EXERCISES)
    submission.normalise()
    with pytest.raises(StudentError, match="more than 2048 MiB together") as caught:
        [submission.normalise() for _ in range(2)]
    assert caught.value.status is Status.MEMORY
