import numpy as np
import pytest

from grader.judge.diagnose import Diagnostician, in_order, patched
from grader.judge.fingerprints import FingerprintDiagnosis
from grader.judge.record import Call, Outcome, Request
from grader.testing.student import Cause
from grader.testing.tolerance import EXACT, FLOAT64, Tolerance
from tests.judge import toy as t
from tests.judge.toy import ids, make_toy, record

KNOWN = [
    (t.COLUMNS, "toy.normalise", "toy.normalise/columns"),
    (t.IN_PLACE, "toy.normalise", "toy.normalise/in-place"),
    (t.WRONG_ERROR, "toy.normalise", "toy.normalise/wrong-error"),
    (t.TRANSPOSED, "toy.blend", "toy.blend/transposed"),
]


@pytest.mark.parametrize(("source", "exercise", "mistake"), KNOWN)
def test_a_mistake_is_named_however_it_is_written(toy, source, exercise, mistake):
    assert ids(toy.name(source, exercise)) == [mistake]


def test_a_mistake_in_a_helper_is_named_at_its_root_from_the_exercise_that_calls_it(toy):
    assert ids(toy.name(t.COLUMNS, "toy.blend")) == ["toy.normalise/columns"]


def test_two_mistakes_at_once_are_named_as_a_pair(toy):
    finding = toy.name(t.BOTH, "toy.blend")
    assert sorted(ids(finding)) == ["toy.blend/transposed", "toy.normalise/columns"]
    assert finding.calls == 2


def test_in_the_exercise_of_the_first_the_first_alone_is_named(toy):
    assert ids(toy.name(t.BOTH, "toy.normalise")) == ["toy.normalise/columns"]


@pytest.mark.parametrize("exercise", ["toy.normalise", "toy.blend"])
def test_a_right_answer_has_no_mistake(toy, exercise):
    assert toy.name(t.RIGHT, exercise) is None


@pytest.mark.parametrize("exercise", ["toy.normalise", "toy.blend"])
def test_a_mistake_that_nobody_knows_is_not_named(toy, exercise):
    assert toy.name(t.UNKNOWN, exercise) is None


def test_without_calls_there_is_nothing_to_name(toy):
    assert Diagnostician(toy.sources, toy.catalogue, toy.manifest).name("toy.blend", []) is None


def test_a_finding_says_how_many_calls_it_explains_and_how_many_of_them_tell(toy):
    finding = toy.name(t.WRONG_ERROR, "toy.normalise")
    assert (finding.calls, finding.separating) == (3, 1)


def test_one_call_that_does_not_fit_is_enough_to_name_nothing(toy):
    calls = record(toy.hand_in(t.COLUMNS), t.REQUESTS["toy.normalise"])
    calls += record(toy.hand_in(t.RIGHT), t.REQUESTS["toy.normalise"][:1])
    assert Diagnostician(toy.sources, toy.catalogue, toy.manifest).name("toy.normalise", calls) is None


def test_another_error_is_another_outcome(toy):
    source = t.WRONG_ERROR.replace("TypeError", "IndexError")
    assert toy.name(source, "toy.normalise") is None


def test_a_call_that_raises_is_not_one_that_returns(toy):
    request = Request("normalise", (np.ones(3),))
    wrong = Outcome(raised=Cause(("ValueError",)))
    recorded = [t.Recorded(Call(request, wrong), FLOAT64)]
    assert Diagnostician(toy.sources, toy.catalogue, toy.manifest).name("toy.normalise", recorded) is None


NEARLY = """
from grader.testing import Explained, misconception

@misconception("toy.normalise/nearly", en=Explained("a", "b", "c"), zh_tw=Explained("a", "b", "c"))
def normalise(ref, x):
    if x.ndim < 2:
        raise ValueError
    return x / x.sum(axis=-1, keepdims=True) * (1 + {error})
"""


@pytest.mark.parametrize(("tolerances", "named"), [(0.5, False), (50, False), (150, True)])
def test_a_mistake_is_named_only_where_it_is_a_hundred_tolerances_from_right(tmp_path, tolerances, named):
    error = tolerances * (FLOAT64.rtol + 3 * FLOAT64.atol)
    toy = make_toy(tmp_path, NEARLY.format(error=error))
    source = t.RIGHT.replace("return out", f"return out * (1 + {error})")
    assert ids(toy.name(source, "toy.normalise")) == ["toy.normalise/nearly"] * named
    assert ids(toy.name_in_kit(source, "toy.normalise")) == ["toy.normalise/nearly"] * named


def test_a_loose_test_separates_loosely(tmp_path):
    toy = make_toy(tmp_path, NEARLY.format(error=0.05))
    source = t.RIGHT.replace("return out", "return out * 1.05")
    for name in (toy.name, toy.name_in_kit):
        assert ids(name(source, "toy.normalise", EXACT)) == ["toy.normalise/nearly"]
        assert name(source, "toy.normalise", Tolerance(1e-2, 1e-2)) is None
        assert name(t.RIGHT, "toy.normalise", Tolerance(1e-1, 1e-1)) is None


def test_every_mistake_that_fits_is_told_to_who_checks_the_catalogue(tmp_path):
    twice = t.MISCONCEPTIONS + t.MISCONCEPTIONS.split("@")[1].join(["@", ""]).replace("/columns", "/again")
    toy = make_toy(tmp_path, twice)
    calls = record(toy.hand_in(t.COLUMNS), t.REQUESTS["toy.normalise"])
    found = Diagnostician(toy.sources, toy.catalogue, toy.manifest).singles("toy.normalise", calls)
    assert [ids(each) for each in found] == [["toy.normalise/columns"], ["toy.normalise/again"]]


def test_what_was_named_in_a_prerequisite_is_tried_first_and_once(toy):
    ids = [found.id for found in toy.catalogue.misconceptions]
    own, needed = [name for name in ids if "blend" in name], [name for name in ids if "normalise" in name]
    assert in_order("toy.blend", toy.manifest, ids, []) == own + needed
    assert in_order("toy.blend", toy.manifest, ids, [needed[1]]) == [needed[1], *own, needed[0], needed[2]]
    assert in_order("toy.normalise", toy.manifest, ids, [own[0]]) == needed


def test_of_two_mistakes_that_fit_the_one_already_named_is_named_again(tmp_path):
    twin = """
@misconception("toy.blend/twin", **words("twin"), name="blend")
def blend_twin(ref, w, v):
    return (w / w.sum(axis=0, keepdims=True)) @ v
"""
    toy = make_toy(tmp_path, t.MISCONCEPTIONS + twin)
    calls = record(toy.hand_in(t.COLUMNS), t.REQUESTS["toy.blend"])
    ways = [
        Diagnostician(toy.sources, toy.catalogue, toy.manifest),
        FingerprintDiagnosis(toy.fingerprints(), toy.manifest),
    ]
    for way in ways:
        assert ids(way.name("toy.blend", calls)) == ["toy.blend/twin"]
        assert ids(way.name("toy.blend", calls, ["toy.normalise/columns"])) == ["toy.normalise/columns"]


def test_patches_meet_each_other(toy):
    columns, *_, transposed, _ = toy.catalogue.misconceptions
    both = patched(toy.sources, [transposed, columns])
    request = t.REQUESTS["toy.blend"][0]
    w, v = request.args
    np.testing.assert_allclose(both.call(request).value, (w / w.sum(axis=0)).T @ v)
