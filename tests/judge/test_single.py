from types import SimpleNamespace

import numpy as np
import pytest

from grader.course.lock import LockedTest
from grader.judge.seeds import visible_seed
from grader.judge.single import Single
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench
from grader.model.verdict import Status, Suite, Tier
from grader.testing.heat import show_heat_map
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
        getattr(submission, function)(
            rng.uniform(1, 2, size=(2, 2)), *([rng.uniform(size=(2, 2))] * (function == "blend"))
        )

    locked = LockedTest(suite, Tier.CORE, f"toy.{function}", f"{suite}/{name}")
    return SuiteTest(locked, body, ("submission", "rng"))


@pytest.fixture
def single(toy):
    def make(caller=None, seeds=None, carrier=None):
        bench = Bench(None, None, ["toy.normalise", "toy.blend"])
        callers = SimpleNamespace(own=caller or toy.hand_in(t.RIGHT), carrier=carrier)
        return Single(bench, callers, toy.manifest, seeds or {}, lambda test: True)

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


class Carrier:
    """Answers what is replaced itself, with right answers."""

    def __init__(self, toy, source):
        self.asked = []
        self._right = toy.hand_in(t.RIGHT)
        self._theirs = toy.hand_in(source)

    def carries(self, _):
        return True

    def without(self, exercises):
        self.asked.append(exercises)
        return self

    def call(self, request, budget=None, /):
        whose = self._right if request.function == "normalise" else self._theirs
        return whose.call(request)


WRONG = t.RIGHT.replace("return out", "raise KeyError")


def in_turn(found):
    for function, name in (("normalise", "a"), ("blend", "b")):
        found.run(as_test(function, name))
    return {name: evidence.carried for name, evidence in found.evidence.items()}


def test_what_needs_a_wrong_exercise_is_run_again_without_it(single, toy):
    carrier = Carrier(toy, t.RIGHT)
    carried = in_turn(single(toy.hand_in(WRONG), carrier=carrier))
    assert carrier.asked == [("toy.normalise",)]
    assert carried["hidden/a"] is None
    assert (carried["hidden/b"].needs, carried["hidden/b"].status) == (["toy.normalise"], Status.PASSED)


def test_where_everything_needed_is_right_nothing_is_carried(single, toy):
    carrier = Carrier(toy, t.RIGHT)
    assert set(in_turn(single(carrier=carrier)).values()) == {None}
    assert carrier.asked == []


def test_in_a_kit_nothing_is_carried(single, toy):
    assert set(in_turn(single(toy.hand_in(WRONG))).values()) == {None}


def test_after_a_timeout_what_needs_it_is_carried_though_it_is_not_run_by_itself(single, toy):
    found = single(Slow(toy.hand_in(t.RIGHT)), carrier=Carrier(toy, t.RIGHT))
    carried = in_turn(found)
    assert found.evidence["hidden/b"].status is Status.BLOCKED
    assert carried["hidden/b"].status is Status.PASSED


def test_a_carried_exercise_is_diagnosed_from_its_carried_calls_alone(single, toy):
    found = single(toy.hand_in(WRONG), carrier=Carrier(toy, t.TRANSPOSED))
    found.run(as_test("blend", "v", Suite.VISIBLE))
    in_turn(found)
    heard = found.heard["toy.blend"]
    assert [each.recorded.call.outcome.raised for each in heard] == [None]


def test_what_passes_as_it_is_passes_carried_too(single, toy):
    """A lent answer can do less than the submission's own: it has no gradient."""
    own = "def normalise(x):\n    raise KeyError\n\ndef blend(w, v):\n    return w @ v\n"
    carrier = Carrier(toy, "def blend(w, v):\n    raise RuntimeError('no gradient')\n")
    found = in_turn(single(toy.hand_in(own), carrier=carrier))
    assert (found["hidden/b"].status, found["hidden/b"].error) == (Status.PASSED, None)


def test_a_heat_map_is_kept_of_a_visible_test_alone(single):
    def body(submission, rng):
        show_heat_map(submission.normalise(np.ones((2, 2))), np.eye(2))

    found = single()
    for suite in Suite:
        found.run(SuiteTest(LockedTest(suite, Tier.CORE, "toy.normalise", f"{suite}/a"), body, ("submission", "rng")))
    assert len(found.evidence["visible/a"].heat_maps) == 1
    assert found.evidence["hidden/a"].heat_maps == []
