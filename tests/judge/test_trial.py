import weakref

import numpy as np
import pytest

from grader.course.lock import LockedTest
from grader.judge.direct import DirectCaller, merged
from grader.judge.suite import SuiteTest
from grader.judge.trial import Bench, Trial
from grader.model.errors import GraderError
from grader.model.verdict import Status, Suite, Tier
from grader.testing import assert_close, assert_keys
from grader.testing.heat import show_heat_map
from grader.testing.student import Cause, StudentError
from grader.testing.tolerance import EXACT, FLOAT32, FLOAT64, widest
from tests.judge import toy as t

X = np.arange(1.0, 5.0).reshape(2, 2)


class Raising:
    """A caller that does not come back with an outcome."""

    def __init__(self, error):
        self.error = error

    def call(self, request, budget=None, /):
        raise self.error


def as_test(body, *wants: str) -> SuiteTest:
    locked = LockedTest(Suite.HIDDEN, Tier.CORE, "toy.normalise", "hidden/test_toy.py::test_it")
    return SuiteTest(locked, body, wants or ("submission",))


@pytest.fixture
def bench(toy) -> Bench:
    namespace = toy.sources[0].namespace()
    return Bench(merged([namespace]), DirectCaller(namespace), ["toy.normalise", "toy.blend"])


@pytest.fixture
def run(toy, bench):
    def run_(body, *wants: str, source: str = t.RIGHT, caller=None, seed: int = 1, on: Bench = bench) -> Trial:
        return on.run(as_test(body, *wants), caller or toy.hand_in(source), seed)

    return run_


def test_a_right_answer_passes_and_its_calls_are_kept(run):
    def body(submission, reference, rng):
        x = rng.uniform(1, 2, size=(2, 3))
        assert_close(submission.normalise(x), reference.normalise(x))

    trial = run(body, "submission", "reference", "rng")
    assert (trial.status, trial.message, trial.cause, trial.made) == (Status.PASSED, "", None, 1)
    assert [call.request.function for call in trial.calls] == ["normalise"]
    assert trial.tolerance == FLOAT64


def test_a_wrong_one_fails_with_the_words_of_the_assertion(run):
    trial = run(lambda submission: assert_close(submission.normalise(X), X, what="A"), source=t.COLUMNS)
    assert trial.status is Status.FAILED
    assert trial.message.startswith("A: 4 of 4 entries differ")


def test_of_a_rewritten_assertion_the_author_s_words_are_kept_alone(run):
    def body(submission):
        raise AssertionError("sums to 1\nassert 0.5 == 1\n +  where ...")

    assert run(body).message == "sums to 1"


def test_to_fail_by_hand_is_to_fail(run):
    trial = run(lambda submission: pytest.fail("no good"))
    assert (trial.status, trial.message) == (Status.FAILED, "no good")


def test_what_the_student_s_code_raises_is_told_with_its_cause(run):
    trial = run(lambda submission: submission.normalise(np.ones(2)))
    assert trial.status is Status.FAILED
    assert trial.cause.types[0] == "ValueError"


def test_a_template_is_not_implemented(run):
    source = "def normalise(x):\n    raise NotImplementedError('toy.normalise')\n"
    assert run(lambda submission: submission.normalise(X), source=source).status is Status.NOT_IMPLEMENTED


@pytest.mark.parametrize("status", [Status.TIMEOUT, Status.CRASHED, Status.IMPORT_ERROR, Status.MEMORY])
def test_what_became_of_the_worker_becomes_the_status(run, status):
    trial = run(lambda submission: submission.normalise(X), caller=Raising(StudentError(status, Cause(message="m"))))
    assert (trial.status, trial.message, trial.made, trial.calls) == (status, "m", 1, ())


def test_a_sandbox_that_fails_is_our_fault(run):
    trial = run(lambda submission: submission.normalise(X), caller=Raising(GraderError("no sandbox", hint="doctor")))
    assert trial.status is Status.GRADER_ERROR
    assert "no sandbox" in trial.message


def careless(submission):
    """A test that does not look before it computes."""
    return submission.normalise(X).sum(axis=1) + np.zeros(2)


@pytest.mark.parametrize("value", ["None", "'text'", "{}", "np.ones(3)", "[1, 2]"])
def test_a_weird_value_that_a_careless_test_trips_over_is_the_student_s_fault(run, value):
    trial = run(careless, source=f"import numpy as np\ndef normalise(x):\n    return {value}\n")
    assert trial.status is Status.FAILED
    assert trial.message.startswith("the test could not use what was returned (")


@pytest.mark.parametrize("source", [t.RIGHT, t.COLUMNS, "def normalise(x):\n    return None\n"])
def test_a_test_that_trips_over_the_reference_too_is_broken(run, source):
    def body(submission):
        submission.normalise(X)
        return {}["missing"]

    trial = run(body, source=source)
    assert trial.status is Status.GRADER_ERROR
    assert trial.message.startswith("the test itself is broken: KeyError: 'missing' (")
    assert "test_trial.py, line " in trial.message


def test_a_test_that_the_reference_fails_otherwise_is_broken_too(run):
    def body(submission):
        if submission.normalise(X) is None:
            raise TypeError("trips")
        pytest.fail("the reference is not good enough")

    assert run(body, source="def normalise(x):\n    return None\n").status is Status.GRADER_ERROR


def test_a_test_that_asks_for_a_function_nobody_has_is_broken(run):
    nobody = Raising(AttributeError("no exercise asks for `normalize`"))
    trial = run(lambda submission: submission.normalize(X), caller=nobody)
    assert trial.status is Status.GRADER_ERROR
    assert "no exercise asks for `normalize`" in trial.message


def test_in_a_kit_without_a_reference_a_weird_value_is_the_student_s_fault_still(run):
    kit = Bench(None, None, ["toy.normalise"])
    assert run(careless, source="def normalise(x):\n    return None\n", on=kit).status is Status.FAILED


def test_the_inputs_are_those_of_the_seed(run):
    drawn = []
    for seed in (1, 1, 2):
        run(lambda rng: drawn.append(rng.uniform()), "rng", seed=seed)
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_widest_tolerance_of_a_test_is_its_own(run):
    def body(submission):
        assert_close(np.ones(1, "float32"), np.ones(1, "float32"))
        assert_close(np.ones(1), np.ones(1))

    assert run(body).tolerance == FLOAT32
    assert run(lambda submission: None).tolerance == EXACT
    before = widest.get()
    run(body)
    assert widest.get() == before


def test_a_message_is_cut_however_much_a_submission_puts_into_it(run):
    def body(submission):
        assert_keys(submission.normalise(X), "A")

    trial = run(body, source="def normalise(x):\n    return {f'{n} is a key': n for n in range(10_000)}\n")
    assert trial.status is Status.FAILED
    assert len(trial.message) == 2000
    assert trial.message.startswith("the result lacks the key 'A'; it has '0 is a key'")
    assert trial.message.endswith("…")


def test_an_error_of_memory_is_sorted_out_after_what_the_test_had_made_is_let_go(run):
    class Kept:
        pass

    alive = weakref.WeakSet()

    def trips(submission):
        kept = Kept()
        if alive:
            raise MemoryError("the test still holds what it had made")
        alive.add(kept)
        if submission.normalise(X) is None:
            raise MemoryError("too large")

    trial = run(trips, source="def normalise(x):\n    return None\n")
    assert (trial.status, trial.message) == (
        Status.FAILED,
        "the test could not use what was returned (MemoryError: too large)",
    )


def test_what_the_reference_shows_when_it_is_tried_is_not_the_student_s(run):
    def body(submission):
        show_heat_map(submission.normalise(X), np.eye(2), "theirs")
        return careless(submission)

    trial = run(body, source="import numpy as np\ndef normalise(x):\n    return np.ones((3, 3))\n")
    assert trial.status is Status.FAILED
    assert [heat.got for heat in trial.heat_maps] == [[[1.0] * 3] * 3]
