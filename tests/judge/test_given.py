"""Course authors' code meets records as a submission does: outside they are records, inside objects of its own class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grader.judge.caller import WorkerCaller
from grader.judge.callers import Callers
from grader.judge.diagnose import Diagnostician, Recorded, patched
from grader.judge.direct import DirectCaller, Source, merged
from grader.judge.fingerprints import FingerprintDiagnosis, make_fingerprints
from grader.judge.imprint import imprint, request_key, structure
from grader.judge.proxy import Submission, log_of
from grader.judge.record import Call, Outcome, Request, returned_size
from grader.judge.same import same_outcome, same_value
from grader.model.errors import CourseError
from grader.model.manifest import Limits
from grader.sandbox.base import Level, Profile
from grader.sandbox.registry import BACKENDS
from grader.testing.catalogue import Explained, collecting, misconception
from grader.testing.student import StudentError
from grader.testing.tolerance import EXACT, FLOAT64
from grader.wire.records import Record
from tests.judge.toy import asked, ids
from tests.model.toy import exercise, manifest

REFERENCE = """
from __future__ import annotations
from dataclasses import dataclass, replace
from typing import ClassVar

@dataclass(frozen=True)
class Sizes:
    width: int
    heads: int | None = None
    kind: ClassVar[str] = "given"

def doubled(sizes):
    if not isinstance(sizes, Sizes):
        raise TypeError("no Sizes")
    return replace(sizes, width=2 * sizes.width)

def both(sizes):
    return {"all": [sizes, (doubled(sizes),)]}
"""
GIVEN = ["Sizes"]
WORDS = {"en": Explained("x", "x", "x"), "zh_tw": Explained("x", "x", "x")}


def sizes(width, heads=None):
    return Record("Sizes", {"width": width, "heads": heads})


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "toy.py").write_text(REFERENCE, encoding="utf-8")
    return Source(tmp_path / "toy.py")


def test_arguments_and_results_are_records_and_inside_they_are_objects(source):
    caller = DirectCaller(source.namespace(), given=GIVEN)
    outcome = caller.call(Request("doubled", (), {"sizes": sizes(3)}))
    assert outcome == Outcome(sizes(6), None, (), {"sizes": sizes(3)})
    value, _ = caller.value(Request("both", (sizes(3, 1),)))
    assert value == {"all": [sizes(3, 1), (sizes(6, 1),)]}


def test_a_record_that_its_class_refuses_is_an_outcome(source):
    caller = DirectCaller(source.namespace(), given=GIVEN)
    for wrong in (Record("Sizes", {"height": 3}), Record("Other", {})):
        assert caller.call(Request("doubled", (wrong,))).raised is not None


def test_a_test_calls_the_reference_with_records_too(source):
    reference = merged([source.namespace()], GIVEN)
    made = reference.Sizes(3)
    assert made == sizes(3)
    assert reference.doubled(made) == sizes(6)
    assert reference.both(made)["all"][1] == (sizes(6),)


def test_a_reference_without_the_class_is_the_course_s_fault(source):
    for name in ("Missing", "doubled"):
        with pytest.raises(CourseError, match=f"{name} is given by the manifest"):
            merged([source.namespace()], [name])


def test_a_test_makes_records_by_name_without_a_call():
    submission = Submission(DirectCaller(), ["toy.doubled"], given=GIVEN)
    assert submission.Sizes(width=3, heads=None) == sizes(3)
    assert log_of(submission).calls == []
    with pytest.raises(TypeError):
        submission.Sizes(3)


def test_a_submission_without_the_class_fails_where_a_record_reaches_it():
    caller = DirectCaller(given=GIVEN)
    assert caller.call(Request("doubled", (sizes(3),))).raised.types[0] == "AttributeError"


def test_records_are_the_same_where_name_and_fields_are():
    assert same_value(sizes(3), sizes(3), EXACT)
    assert same_value([sizes(3.0)], [sizes(3.0 + 1e-12)], FLOAT64)
    assert not same_value(sizes(3), sizes(3, 1), EXACT)
    assert not same_value(sizes(3), sizes(4), EXACT)
    assert not same_value(sizes(3), Record("Other", {"width": 3, "heads": None}), EXACT)
    assert not same_value(sizes(3), {"width": 3, "heads": None}, EXACT)
    assert not same_value(sizes(3), Record("Sizes", {"width": 3}), EXACT)


def test_an_imprint_knows_a_record_by_its_structure_and_numbers():
    assert structure(sizes(3)) == "Sizes(heads: None, width: number)"
    kept = imprint(Request("doubled", (sizes(3),)), Outcome(sizes(6, 2), None, (sizes(3),)))
    assert (kept.entries, kept.touched) == ([2.0, 6.0], False)
    changed = imprint(Request("doubled", (sizes(3),)), Outcome(sizes(6), None, (sizes(4),)))
    assert changed.touched


def test_a_request_is_told_from_another_by_what_is_in_its_records():
    keys = {
        request_key(Request("f", (each,))) for each in (sizes(3), sizes(4), sizes(3, 4), {"width": 3, "heads": None})
    }
    assert len(keys) == 4


@pytest.mark.parametrize("nbytes", ["text", 10**30, None])
def test_what_a_record_says_of_its_size_is_not_believed(nbytes):
    small = Record("Sizes", {"nbytes": nbytes, "a": np.zeros(1000)})
    assert 8000 < returned_size(Outcome(small)) < 9000


@pytest.fixture
def catalogue():
    with collecting() as found:

        @misconception("toy.doubled/added", **WORDS)
        def doubled(ref, sizes):
            return ref.Sizes(sizes.width + 2, sizes.heads)

        @misconception("toy.doubled/heads-too", name="doubled", **WORDS)
        def heads_too(ref, sizes):
            return ref.replace(sizes, width=2 * sizes.width, heads=7)

    return found


def test_a_mistake_in_records_is_named_here_and_in_a_kit(source, catalogue):
    found = manifest(exercise("toy.doubled"), given=["toy.Sizes"])
    requests = [Request("doubled", (sizes(3),)), Request("doubled", (sizes(5, 2),))]
    prints = make_fingerprints([source], catalogue, found, {"toy.doubled": asked(requests)})
    for mistake in catalogue.misconceptions:
        student = patched([source], [mistake], GIVEN)
        calls = [Recorded(Call(each, student.call(each)), FLOAT64) for each in requests]
        for diagnosis in (Diagnostician([source], catalogue, found), FingerprintDiagnosis(prints, found)):
            assert ids(diagnosis.name("toy.doubled", calls)) == [mistake.id]
    right = DirectCaller(source.namespace(), given=GIVEN)
    assert same_outcome(right.call(requests[0]), Outcome(sizes(6), None, (sizes(3),)), EXACT)


def test_records_cross_to_a_worker_and_back_and_to_a_stand_in_that_answers_for_it(source):
    found = manifest(exercise("toy.doubled"), exercise("toy.both", "toy.doubled"), given=["toy.Sizes"])
    wrong = REFERENCE.replace("2 * sizes.width", "5 * sizes.width").encode()
    right = DirectCaller(source.namespace(), given=GIVEN)
    with (
        BACKENDS[Level.NONE].open(Profile(("numpy",), Limits())) as sandbox,
        Callers(sandbox, {"toy.py": wrong}, found, right, lambda _: 0.0) as callers,
    ):
        outcome = callers.own.call(Request("doubled", (sizes(3),)))
        assert (outcome.value, outcome.args) == (sizes(15), (sizes(3),))
        assert callers.carrier
        both = callers.carrier.without(("toy.doubled",)).call(Request("both", (sizes(3),)))
        assert both.value == {"all": [sizes(3), (sizes(6),)]}


def test_a_worker_that_lost_the_class_is_told_so(source):
    found = manifest(exercise("toy.kept"), given=["toy.Sizes"])
    with BACKENDS[Level.NONE].open(Profile(("numpy",), Limits())) as sandbox:
        caller = WorkerCaller(sandbox, {"toy.py": b"def kept(sizes): return 1\n"}, found, lambda _: 0.0)
        with pytest.raises(
            StudentError, match=r"toy\.py does not define Sizes, which is given: copy it from the template"
        ):
            Submission(caller, ["toy.kept"], given=GIVEN).kept(sizes(3))
        caller.close()


FLOATS = REFERENCE.replace("2 * sizes.width", "2.0 * sizes.width")


def test_a_float_for_an_int_is_a_mistake_of_its_own_and_hides_no_other(source, tmp_path):
    with collecting() as catalogue:

        @misconception("toy.doubled/float", name="doubled", **WORDS)
        def as_float(ref, sizes):
            return ref.Sizes(2.0 * sizes.width, sizes.heads)

        @misconception("toy.doubled/tripled", name="doubled", **WORDS)
        def tripled(ref, sizes):
            return ref.Sizes(3 * sizes.width, sizes.heads)

    diagnostician = Diagnostician([source], catalogue, manifest(exercise("toy.doubled"), given=["toy.Sizes"]))

    def named(text):
        (tmp_path / "student.py").write_text(text, encoding="utf-8")
        student = DirectCaller(Source(tmp_path / "student.py").namespace(), given=GIVEN)
        request = Request("doubled", (sizes(3),))
        return ids(diagnostician.name("toy.doubled", [Recorded(Call(request, student.call(request)), FLOAT64)]))

    assert named(REFERENCE) == []
    assert named(FLOATS) == ["toy.doubled/float"]
    assert named(REFERENCE.replace("2 * sizes.width", "3 * sizes.width")) == ["toy.doubled/tripled"]
    assert named(FLOATS.replace("2.0 * sizes.width", "3.0 * sizes.width")) == ["toy.doubled/tripled"]
