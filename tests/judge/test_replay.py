import numpy as np
import pytest

from grader.judge.diagnose import Recorded
from grader.judge.direct import DirectCaller, Source
from grader.judge.proxy import Submission, log_of
from grader.judge.replay import Replay, Room
from grader.judge.script import lines
from grader.testing.tolerance import EXACT
from grader.wire.values import Handle

TEXT = """
made = []

class Sum:
    def __init__(self, start): made.append("Sum"); self.total = start
    def add(self, x): made.append(f"add {x}"); self.total += x; return self.total
    def twin(self): made.append("twin"); return [self, Sum(self.total)]

def double(x): made.append(f"double {x}"); x[0] *= 2; return x

def half(x): made.append(f"half {x}"); return x / 2
"""


@pytest.fixture
def source(tmp_path):
    (tmp_path / "toy.py").write_text(TEXT, encoding="utf-8")
    return Source(tmp_path / "toy.py")


def recorded(source, *tests):
    """What tests asked of a submission; each is a function of it."""
    found = []
    for number, test in enumerate(tests):
        submission = Submission(DirectCaller(source.namespace()), [])
        test(submission)
        found += [Recorded(call, EXACT, str(number)) for call in log_of(submission).calls]
    return found


class Replayed:
    def __init__(self, source, size=10**6):
        self.module = source.namespace()
        self.replay = Replay(DirectCaller(self.module), Room(size))

    def __call__(self, calls):
        """The values that come of calls, and what had to be run for them."""
        self.module.made.clear()
        values = [outcome.value for outcome in self.replay(lines(calls))]
        return values, self.module.made.copy()


def adding(*numbers):
    def test(submission):
        total = submission.Sum(10)
        for number in numbers:
            total.add(number)

    return test


def test_what_was_answered_once_is_not_run_again(source):
    replayed = Replayed(source)
    (_, *sums), made = replayed(recorded(source, adding(1, 2)))
    assert (sums, made) == ([11, 13], ["Sum", "add 1", "add 2"])
    (_, *sums), made = replayed(recorded(source, adding(1, 2), adding(1)))
    assert (sums[:2], sums[3:], made) == ([11, 13], [11], [])


def test_for_a_call_that_is_not_known_those_before_it_in_its_test_are_run_as_well(source):
    replayed = Replayed(source)
    replayed(recorded(source, adding(1, 2)))
    (_, *sums), made = replayed(recorded(source, adding(7), adding(1, 5)))
    assert (sums[0], sums[2:]) == (17, [11, 16])
    assert made == ["Sum", "add 7", "Sum", "add 1", "add 5"]


def test_objects_have_the_numbers_of_the_submission_that_is_asked_about(source):
    def twins(submission):
        submission.Sum(0)
        submission.Sum(1).twin()

    replayed = Replayed(source)
    replayed(recorded(source, twins))
    calls = recorded(source, adding(1), twins)
    values, made = replayed(calls)
    assert made == ["Sum", "add 1"]
    assert values[2:] == [each.call.outcome.value for each in calls[2:]]


def test_an_object_where_the_submission_gave_none_is_none_of_its_objects(source):
    calls = recorded(source, lambda submission: submission.Sum(3))
    other = [Recorded(type(each.call)(each.call.request, type(each.call.outcome)(1.5)), EXACT, "0") for each in calls]
    replayed = Replayed(source)
    for _ in range(2):
        [value], made = replayed(other)
        assert isinstance(value, Handle)
        assert value != calls[0].call.outcome.value
    assert made == []


def test_an_argument_that_was_changed_is_remembered_as_it_is_afterwards(source):
    calls = recorded(source, lambda submission: (submission.double(np.ones(2)), submission.half(np.ones(2))))
    replayed = Replayed(source)
    for _ in range(2):
        doubled, halved = replayed.replay(lines(calls))
        assert doubled.args[0].tolist() == doubled.value.tolist() == [2, 1]
        assert halved.value.tolist() == [0.5, 0.5]
    assert halved.args[0].tolist() == [1, 1]


def test_what_a_caller_itself_was_heard_to_answer_need_not_be_run(source):
    replayed = Replayed(source)
    calls = recorded(source, adding(1, 2))
    replayed.replay.learn(lines(calls))
    (_, *sums), made = replayed(calls)
    assert (sums, made) == ([11, 13], [])


def test_what_finds_no_room_is_run_each_time(source):
    replayed = Replayed(source, size=100)
    for _ in range(2):
        (_, *sums), made = replayed(recorded(source, adding(1, 2)))
        assert (sums, made[-1]) == ([11, 13], "add 2")
