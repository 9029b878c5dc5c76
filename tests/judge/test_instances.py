"""Objects of a submission, as a test uses them, and the names of mistakes in them."""

from __future__ import annotations

import numpy as np
import pytest

from grader.judge.diagnose import Diagnostician, Recorded
from grader.judge.direct import DirectCaller, Source
from grader.judge.fingerprints import FingerprintDiagnosis, Visible, make_fingerprints
from grader.judge.proxy import Submission, let_go, log_of
from grader.testing import assert_close, misconception
from grader.testing.catalogue import Explained, collecting
from grader.testing.structure import describe
from grader.testing.student import StudentError
from grader.testing.tolerance import FLOAT64
from tests.judge.toy import ids
from tests.model.toy import exercise, manifest

REFERENCE = """
import numpy as np

class Norm:
    def __init__(self, d):
        self.weight = np.ones(d)

    def load(self, weight):
        self.weight = np.array(weight)
        return self

    def centred(self, x):
        return x - x.mean(axis=-1, keepdims=True)

    def __call__(self, x):
        return self.weight * self.centred(x) / x.std(axis=-1, keepdims=True)

def apply(norm, x):
    return norm(x)
"""
# The same, written in a student's own way, with objects of two classes.
THEIRS = """
import numpy as np

class Weights:
    def __init__(self, values): self.values = values

class Norm:
    def __init__(self, d): self.parts = Weights([1.0] * d)
    def load(self, weight): self.parts = Weights(list(weight)); return self
    def get(self): return self.parts
    @property
    def weight(self): return np.array(self.parts.values)
    def __call__(self, x):
        rows = [(r - r.mean()) / np.sqrt(((r - r.mean()) ** 2).sum() / (len(r) - 0)) * self.weight for r in x]
        return np.array(rows)

def apply(norm, x): return norm(x)
"""
UNBIASED = THEIRS.replace("len(r) - 0", "len(r) - 1")
X = np.random.default_rng(0).normal(size=(3, 5))
WORDS = {"en": Explained("a", "b", "c"), "zh_tw": Explained("a", "b", "c")}


@pytest.fixture
def made(tmp_path):
    def make(text: str) -> Source:
        path = tmp_path / str(len(list(tmp_path.iterdir()))) / "toy.py"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        return Source(path)

    return make


@pytest.fixture
def handed_in(made):
    return lambda text: Submission(DirectCaller(made(text).namespace()), ["toy.norm", "toy.apply"])


def used(submission: Submission) -> np.ndarray:
    """Make an object, give it weights, call it, and hand it to a function: what a test does."""
    norm = submission.Norm(5)
    norm.load(np.arange(1.0, 6.0))
    return submission.apply(norm, norm(X))


@pytest.fixture
def catalogue():
    with collecting() as found:

        @misconception("toy.norm/unbiased", name="Norm", **WORDS)
        def unbiased(ref, d):
            class Unbiased(ref.originals.Norm):
                def __call__(self, x):
                    return self.weight * self.centred(x) / x.std(axis=-1, ddof=1, keepdims=True)

            return Unbiased(d)

        @misconception("toy.norm/weight-unused", name="Norm", **WORDS)
        def unused(ref, d):
            class Unused(ref.originals.Norm):
                def __call__(self, x):
                    return self.centred(x) / x.std(axis=-1, keepdims=True)

            return Unused(d)

    return found


TOY = manifest(exercise("toy.norm", names=["Norm"]), exercise("toy.apply", names=["apply"], needs=["toy.norm"]))


def test_an_object_is_called_its_methods_too_and_its_attributes_are_read(handed_in):
    submission = handed_in(THEIRS)
    norm = submission.Norm(5)
    assert describe(norm) == "an object of the class Norm"
    assert_close(norm["weight"], np.ones(5))
    assert norm.load(np.arange(5.0)).handle == norm.handle
    assert_close(norm["weight"], np.arange(5.0))
    assert describe(norm.get()) == "an object of the class Weights"


def test_an_object_can_be_passed_to_a_function(handed_in):
    expected = used(handed_in(REFERENCE))
    assert_close(used(handed_in(THEIRS)), expected)


def test_what_an_object_does_not_have_is_the_students_error(handed_in):
    norm = handed_in(THEIRS).Norm(5)
    with pytest.raises(StudentError, match="AttributeError"):
        norm.forward(X)
    with pytest.raises(StudentError, match="AttributeError"):
        norm["bias"]


@pytest.mark.parametrize("made_of", ["numpy.zeros(2)", "torch.zeros(2)"])
def test_what_an_object_has_shown_stays_what_it_was(handed_in, made_of):
    submission = handed_in(f"""
import {made_of.partition(".")[0]}
class Counter:
    def __init__(self): self.n = {made_of}
    def up(self): self.n += 1
    def state(self): return {{"n": [self.n]}}
""")
    counter = submission.Counter()
    before = counter.state()
    counter.up()
    assert before["n"][0].tolist() == [0, 0]
    assert counter.state()["n"][0].tolist() == [1, 1]
    assert log_of(submission).calls[1].outcome.value["n"][0].tolist() == [0, 0]


def test_an_object_is_let_go_of_when_its_test_is_over(handed_in):
    submission = handed_in(THEIRS)
    norm = submission.Norm(5)
    let_go(submission)
    with pytest.raises(StudentError, match="LookupError"):
        norm(X)


@pytest.mark.parametrize(("text", "names"), [(THEIRS, []), (UNBIASED, ["toy.norm/unbiased"])])
def test_a_mistake_in_a_class_is_named_here_and_in_a_kit(made, handed_in, catalogue, text, names):
    source = made(REFERENCE)
    right = Submission(DirectCaller(source.namespace()), [])
    used(right)
    prints = make_fingerprints([source], catalogue, TOY, {"toy.norm": [Visible(log_of(right).calls, FLOAT64)]})
    student = handed_in(text)
    used(student)
    calls = [Recorded(call, FLOAT64) for call in log_of(student).calls]
    for diagnosis in (Diagnostician([source], catalogue, TOY), FingerprintDiagnosis(prints, TOY)):
        assert ids(diagnosis.name("toy.norm", calls)) == names


def test_calls_of_several_tests_are_told_apart(made, handed_in, catalogue):
    source = made(REFERENCE)
    calls = []
    for text in (UNBIASED, UNBIASED):  # two workers may give their objects the same numbers
        student = handed_in(text)
        used(student)
        used(student)
        calls += [Recorded(call, FLOAT64) for call in log_of(student).calls]
    assert ids(Diagnostician([source], catalogue, TOY).name("toy.norm", calls)) == ["toy.norm/unbiased"]
