"""Mistakes that have nothing to do with each other are named each by itself, as long as the core holds."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from grader.judge.apart import as_few_as_explain, by_edge
from grader.judge.diagnose import Diagnosing, Diagnostician, Finding, Recorded
from grader.judge.fingerprints import FingerprintDiagnosis, make_fingerprints
from grader.judge.naming import name_mistakes
from grader.judge.record import Call, Request
from grader.judge.single import Heard
from grader.model.verdict import Status, Tier
from grader.testing.tolerance import FLOAT64
from tests.judge import toy as t

EDGES = """
from grader.testing import Explained, misconception

def words(name):
    return {"en": Explained(name, "why", "hint"), "zh_tw": Explained(name + "。", "為何", "提示")}

@misconception("toy.normalise/zeros-nan", **words("zeros-nan"), name="normalise")
def normalise_nan(ref, x):
    if not x.any():
        return x * float("nan")
    return ref.originals.normalise(x)

@misconception("toy.normalise/any-vector", **words("any-vector"), name="normalise")
def normalise_vectors(ref, x):
    return x / x.sum() if x.ndim < 2 else ref.originals.normalise(x)

@misconception("toy.normalise/widened", **words("widened"), name="normalise")
def normalise_widened(ref, x):
    return ref.originals.normalise(x).astype(float)

@misconception("toy.blend/of-anything", **words("of-anything"))
def blend(ref, w, v):
    return ref.normalise(w) @ v if w.ndim > 1 else w
"""
RIGHT = """
import numpy as np

def normalise(x):
    if x.ndim < 2:
        raise IndexError  # an error that the test takes as well
    total = x.sum(-1, keepdims=True)
    return x / np.where(total, total, 1)

def blend(w, v):
    return normalise(w) @ v
"""
REFERENCE = """
import numpy as np

def normalise(x):
    if x.ndim < 2:
        raise ValueError("two axes")
    total = x.sum(axis=-1, keepdims=True)
    return x / np.where(total == 0, 1, total)

def blend(w, v):
    return normalise(w) @ v
"""
NAN = RIGHT.replace("np.where(total, total, 1)", "total")
VECTORS = RIGHT.replace("x.ndim < 2", "False")
WIDENED = RIGHT.replace("total = x.sum(-1, keepdims=True)", "x = x.astype(float); total = x.sum(-1, keepdims=True)")
NAN_AND_VECTORS = NAN.replace("x.ndim < 2", "False")
UNKNOWN = RIGHT.replace("return x /", "return -x /")

W = np.array([[1.0, 3.0], [2.0, 2.0]])
VECTOR, ZEROS, SINGLE = np.ones(2), np.zeros((2, 2)), W.astype(np.float32)
# Each test is one call.
TESTS = {
    "toy.normalise": {"core": (W,), "single": (SINGLE,), "vector": (VECTOR,), "zeros": (ZEROS,)},
    "toy.blend": {"core": (W, np.eye(2)), "vector": (VECTOR, np.eye(2)), "zeros": (ZEROS, np.eye(2))},
}


@pytest.fixture
def toy(tmp_path):
    made = t.make_toy(tmp_path, EDGES)
    (tmp_path / "reference" / "toy.py").write_text(REFERENCE, encoding="utf-8")
    return t.Toy(tmp_path, made.manifest, [t.Source(tmp_path / "reference" / "toy.py")], made.catalogue)


@pytest.fixture(params=["catalogue", "kit"])
def diagnosing(request, toy) -> Diagnosing:
    if request.param == "catalogue":
        return Diagnostician(toy.sources, toy.catalogue, toy.manifest)
    visible = {
        exercise: t.asked(Request(exercise.partition(".")[2], args) for args in tests.values())
        for exercise, tests in TESTS.items()
    }
    return FingerprintDiagnosis(make_fingerprints(toy.sources, toy.catalogue, toy.manifest, visible), toy.manifest)


def heard(toy, source: str, exercise: str, failed: str) -> list[Heard]:
    """What is heard of a submission, whose tests of these names failed."""
    caller, found = toy.hand_in(source), []
    for name, args in TESTS[exercise].items():
        request = Request(exercise.partition(".")[2], args)
        wrong = name in failed.split()
        recorded = Recorded(Call(request, caller.call(request)), FLOAT64, name, passed=not wrong)
        found.append(Heard(wrong, Tier.CORE if name == "core" else Tier.EDGE, recorded, name))
    return found


def told(toy, diagnosing: Diagnosing, source: str, failed: str, exercise: str = "toy.normalise") -> list[str]:
    """Return all names that a report has for it."""
    single = SimpleNamespace(
        evidence={
            name: SimpleNamespace(exercise=exercise, status=Status.FAILED, tier=Tier.CORE, carried=None)
            for name in failed.split()
        },
        heard={exercise: heard(toy, source, exercise, failed)},
    )
    found = name_mistakes(toy.manifest, lambda: diagnosing, single)
    return [name.partition("/")[2] for each in found for name in each.misconceptions]


@pytest.mark.parametrize(
    ("source", "failed", "names"),
    [
        (NAN, "zeros", ["zeros-nan"]),
        (VECTORS, "vector", ["any-vector"]),
        (NAN_AND_VECTORS, "zeros vector", ["zeros-nan", "any-vector"]),
        (WIDENED.replace("x.ndim < 2", "False"), "single vector", ["any-vector", "widened"]),
    ],
)
def test_each_failed_edge_test_has_its_mistake_named_in_the_order_of_the_catalogue(
    toy, diagnosing, source, failed, names
):
    assert told(toy, diagnosing, source, failed) == names


def test_a_mistake_of_its_own_does_not_leave_those_beside_it_unnamed(toy, diagnosing):
    source = NAN.replace("raise IndexError", "return None")
    assert told(toy, diagnosing, source, "vector zeros") == ["zeros-nan"]


def test_nothing_is_named_at_the_edge_of_a_core_that_does_not_hold(toy, diagnosing):
    source = VECTORS.replace("return x /", "return -x /")
    assert told(toy, diagnosing, source, "core vector") == []
    assert by_edge(diagnosing, toy.manifest, "toy.normalise", heard(toy, source, "toy.normalise", "core"), []) == []


def test_a_mistake_must_fit_what_passed(toy, diagnosing):
    source = VECTORS.replace("total = ", "x = x.astype(np.result_type(x, np.float64)); total = ")
    assert told(toy, diagnosing, source, "vector") == []  # float32 was not kept, and no test of it failed


def test_a_mistake_known_from_what_an_exercise_needs_is_not_given_another_name(toy, diagnosing):
    named = ["toy.normalise/zeros-nan"]
    found = heard(toy, NAN, "toy.blend", "zeros")
    assert [each.misconceptions[0].id for each in by_edge(diagnosing, toy.manifest, "toy.blend", found, named)] == named
    assert by_edge(diagnosing, toy.manifest, "toy.blend", found, []) == []


def test_the_calls_of_a_finding_are_those_that_it_reproduces(toy, diagnosing):
    found = heard(toy, NAN_AND_VECTORS, "toy.normalise", "zeros vector")
    [nan, vectors] = by_edge(diagnosing, toy.manifest, "toy.normalise", found, [])
    assert (nan.calls, nan.separating, vectors.calls, vectors.separating) == (3, 1, 3, 1)


@pytest.mark.parametrize("source", [NAN, WIDENED])
def test_an_error_that_a_test_took_is_as_good_as_another(toy, diagnosing, source):
    calls = [each.recorded for each in heard(toy, source, "toy.normalise", "zeros single")]
    assert diagnosing.name("toy.normalise", calls) is not None
    strict = [Recorded(each.call, each.tolerance, each.test) for each in calls]
    assert diagnosing.name("toy.normalise", strict) is None


def test_but_it_tells_nothing(toy, diagnosing):
    assert diagnosing.name("toy.normalise", [e.recorded for e in heard(toy, RIGHT, "toy.normalise", "single")]) is None


def test_as_few_mistakes_as_can_explain_are_told_with_their_tests():
    a, b, c = (Finding((SimpleNamespace(id=f"toy.x/{name}"),), 1, 1) for name in "abc")
    assert as_few_as_explain({"p": [a, b], "q": [b], "r": [], "s": [a, c]}) == [{"p": a, "s": a}, {"q": b}]
