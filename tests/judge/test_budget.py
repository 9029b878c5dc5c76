import pytest

from grader.judge.budget import CallBudget
from grader.model.verdict import Status
from grader.testing.student import StudentError


def test_calls_there_and_back_are_counted_together():
    budget = CallBudget(3)
    for which in ("to softmax", "back from softmax", "to softmax"):
        budget.spend(which)
    budget.check()
    with pytest.raises(StudentError) as caught:
        budget.spend("back from softmax")
    assert caught.value.status is Status.TIMEOUT
    assert str(caught.value) == "call 4 of this test, back from softmax: a test may make 3, calls back included"


def test_a_budget_that_is_overdrawn_stays_so():
    budget = CallBudget(0)
    with pytest.raises(StudentError):
        budget.spend("to softmax")
    with pytest.raises(StudentError):
        budget.check()
    with pytest.raises(StudentError):
        budget.spend("to softmax")


def test_without_a_limit_nothing_is_refused():
    budget = CallBudget()
    for _ in range(20_000):
        budget.spend("to softmax")
    budget.check()
