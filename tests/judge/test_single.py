import pytest

from grader.course.lock import LockedTest
from grader.judge.seeds import visible_seed
from grader.judge.single import Single
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench
from grader.model.verdict import Status, Suite, Tier
from grader.testing.student import Cause, StudentError
from tests.judge import toy as t


class Slow:
    """A worker in which `normalise` hangs."""

    def __init__(self, caller):
        self.caller = caller
        self.asked = []

    def call(self, request, budget=None, /):
        self.asked.append(request.function)
        if request.function == "normalise":
            raise StudentError(Status.TIMEOUT, Cause(message="normalise used more than 2 s"))
        return self.caller.call(request)


def as_test(function: str, name: str, suite: Suite = Suite.HIDDEN) -> SuiteTest:
    def body(submission, rng):
        getattr(submission, function)(rng.uniform(1, 2, size=(2, 2)), *([rng.uniform(size=2)] * (function == "blend")))

    locked = LockedTest(suite, Tier.CORE, f"toy.{function}", f"{suite}/{name}")
    return SuiteTest(locked, body, ("submission", "rng"))


@pytest.fixture
def single(toy):
    def make(caller=None, seeds=None):
        bench = Bench(None, None, ["toy.normalise", "toy.blend"])
        return Single(bench, caller or toy.hand_in(t.RIGHT), toy.manifest, seeds or {}, lambda test: True)

    return make


def test_after_one_timeout_the_exercise_s_other_tests_and_what_needs_it_are_not_run(single, toy):
    slow = Slow(toy.hand_in(t.RIGHT))
    found = single(slow)
    for function, name in (("normalise", "a"), ("normalise", "b"), ("blend", "c")):
        found.run(as_test(function, name))
    statuses = {name: evidence.status for name, evidence in found.evidence.items()}
    assert statuses == {"hidden/a": Status.TIMEOUT, "hidden/b": Status.TIMEOUT, "hidden/c": Status.BLOCKED}
    assert slow.asked == ["normalise"]
    assert "toy.normalise, which this exercise needs" in found.evidence["hidden/c"].message


def test_a_hidden_test_has_the_seed_it_was_given_and_a_visible_one_its_own(single):
    found = single(seeds={"hidden/a": 11, "visible/a": 12})
    found.run(as_test("normalise", "a"))
    found.run(as_test("normalise", "a", Suite.VISIBLE))
    assert found.evidence["hidden/a"].seed == 11
    assert found.evidence["visible/a"].seed == visible_seed("visible/a")


def test_what_came_of_a_test_is_noted_with_its_cause(single, toy):
    found = single(toy.hand_in("def normalise(x):\n    raise KeyError('k')\n"))
    said = found.run(as_test("normalise", "a"))
    evidence = found.evidence["hidden/a"]
    assert (evidence.status, evidence.error.types[0], evidence.calls) == (Status.FAILED, "KeyError", 1)
    assert said == evidence.message == "KeyError: 'k'"


def test_a_test_that_passed_has_nothing_to_say(single):
    found = single()
    assert found.run(as_test("normalise", "a")) is None
    assert found.evidence["hidden/a"].status is Status.PASSED


def test_calls_are_kept_for_the_diagnosis_by_exercise(single, toy):
    found = single(toy.hand_in(t.RIGHT.replace("return out", "raise KeyError")))
    found.run(as_test("normalise", "a"))
    found.run(as_test("blend", "b"))
    assert {exercise: [heard.failed for heard in calls] for exercise, calls in found.heard.items()} == {
        "toy.normalise": [True],
        "toy.blend": [True],
    }
