import json
from dataclasses import replace

import numpy as np
import pytest

from grader.judge.direct import Source
from grader.judge.fingerprints import (
    FingerprintDiagnosis,
    Fingerprints,
    Visible,
    alike,
    as_text,
    make_fingerprints,
    read_fingerprints,
)
from grader.judge.record import Call, Outcome, Request
from grader.model.errors import CourseError
from grader.testing.catalogue import Catalogue, Explained, Misconception
from grader.testing.tolerance import EXACT, FLOAT64, Tolerance
from tests.judge import toy as t
from tests.judge.test_diagnose import KNOWN
from tests.judge.test_naming import GREEDY, TOO_LARGE
from tests.judge.toy import Recorded, asked, ids, make_toy, record
from tests.model.toy import manifest


@pytest.mark.parametrize(("source", "exercise", "mistake"), KNOWN)
def test_a_kit_names_what_the_instructor_names(toy, source, exercise, mistake):
    assert ids(toy.name_in_kit(source, exercise)) == [mistake]


def test_a_kit_names_a_mistake_in_a_helper_at_its_root(toy):
    assert ids(toy.name_in_kit(t.COLUMNS, "toy.blend")) == ["toy.normalise/columns"]


@pytest.mark.parametrize("source", [t.RIGHT, t.UNKNOWN, t.BOTH], ids=["right", "unknown", "two at once"])
def test_a_kit_names_nothing_that_it_is_not_sure_of(toy, source):
    assert toy.name_in_kit(source, "toy.blend") is None


def test_what_a_kit_says_is_said_in_the_catalogue_s_words_and_languages(toy):
    (told,) = toy.name_in_kit(t.COLUMNS, "toy.normalise").misconceptions
    assert (told.en.name, told.zh_tw.name) == ("columns", "columns。")
    assert told.exercise == "toy.normalise"


def test_a_kit_holds_no_code(toy):
    text = as_text(toy.fingerprints())
    for word in ("def ", "lambda", "sum(", "ref.", "np."):
        assert word not in text
    (told,) = toy.name_in_kit(t.COLUMNS, "toy.normalise").misconceptions
    with pytest.raises(NotImplementedError):
        told.implementation()


def test_calls_that_the_kit_does_not_know_say_nothing(toy):
    kit = FingerprintDiagnosis(toy.fingerprints(), toy.manifest)
    other = [Request("normalise", (np.full((2, 2), 3.0),))]
    assert kit.name("toy.normalise", record(toy.hand_in(t.COLUMNS), other)) is None
    assert kit.name("toy.normalise", []) is None


def test_one_known_call_that_does_not_fit_is_enough(toy):
    kit = FingerprintDiagnosis(toy.fingerprints(), toy.manifest)
    requests = t.REQUESTS["toy.normalise"]
    calls = record(toy.hand_in(t.COLUMNS), requests) + record(toy.hand_in(t.RIGHT), requests[:1])
    assert kit.name("toy.normalise", calls) is None


def test_a_call_that_two_exercises_make_is_known_to_both(toy):
    shared = t.REQUESTS["toy.blend"][:1]
    for visible in (
        {"toy.blend": asked(shared), "toy.normalise": asked(shared)},
        {"toy.normalise": asked(shared), "toy.blend": asked(shared)},
    ):
        found = make_fingerprints(toy.sources, toy.catalogue, toy.manifest, visible)
        kit = FingerprintDiagnosis(found, toy.manifest)
        assert ids(kit.name("toy.blend", record(toy.hand_in(t.TRANSPOSED), shared))) == ["toy.blend/transposed"]
        assert ids(kit.name("toy.normalise", record(toy.hand_in(t.COLUMNS), shared))) == ["toy.normalise/columns"]


CORNER = """
from grader.testing import Explained, misconception

@misconception("toy.normalise/corner", en=Explained("a", "b", "c"), zh_tw=Explained("a", "b", "c"))
def normalise(ref, x):
    out = x / x.sum(axis=-1, keepdims=True)
    out.flat[{entry}] += 1
    return out
"""


def test_a_mistake_in_an_entry_that_is_not_kept_is_not_pinned_on_a_right_answer(tmp_path):
    """Of 1000 entries 24 are kept; a right answer agrees with each mistake in the others."""
    big = Request("normalise", (np.random.default_rng(3).uniform(1, 2, size=(10, 100)),))
    for entry, named in ((1, []), (0, ["toy.normalise/corner"])):
        toy = make_toy(tmp_path / str(entry), CORNER.format(entry=entry))
        found = make_fingerprints(toy.sources, toy.catalogue, toy.manifest, {"toy.normalise": asked([big])})
        kit = FingerprintDiagnosis(found, toy.manifest)
        wrong = toy.catalogue.misconceptions[0].implementation(None, *big.args)
        assert ids(kit.name("toy.normalise", [Recorded(Call(big, Outcome(wrong, args=big.args)), FLOAT64)])) == named
        assert kit.name("toy.normalise", record(toy.hand_in(t.RIGHT), [big])) is None


def test_the_file_reads_as_it_was_written_and_holds_a_line_for_each_entry(toy, tmp_path):
    found = toy.fingerprints()
    path = tmp_path / "fingerprints.json"
    path.write_text(as_text(found), encoding="utf-8")
    assert read_fingerprints(path) == found
    lines = path.read_text("utf-8").splitlines()
    assert sum(line.startswith('"toy.') for line in lines) == len(toy.catalogue.misconceptions)
    assert sum('"gives":' in line for line in lines) == len(found.calls) == 5


def test_the_file_is_the_same_whatever_the_order_of_the_calls(toy):
    backwards = {exercise: asked(calls[::-1]) for exercise, calls in reversed(t.REQUESTS.items())}
    again = make_fingerprints(toy.sources, toy.catalogue, toy.manifest, backwards)
    assert as_text(again) == as_text(toy.fingerprints())


def test_a_test_that_compares_loosely_still_tells_what_is_far_from_right(toy):
    loose = Tolerance(1e-5, 1e-5)
    calls = record(toy.hand_in(t.COLUMNS), t.REQUESTS["toy.normalise"], loose)
    for tolerance, named in ((FLOAT64, []), (loose, ["toy.normalise/columns"]), (Tolerance(1e-2, 1e-2), [])):
        text = as_text(toy.fingerprints(tolerance))
        kit = FingerprintDiagnosis(Fingerprints.model_validate_json(text), toy.manifest)
        assert ids(kit.name("toy.normalise", calls)) == named


def test_how_loosely_a_test_compares_is_kept_only_where_it_is_not_as_usual(toy):
    assert "loose" not in json.loads(as_text(toy.fingerprints()))
    kept = json.loads(as_text(toy.fingerprints(Tolerance(1e-5, 0.0))))
    assert kept["loose"] == {key: [1e-5, 0.0] for key in kept["calls"]}


def test_a_kit_without_fingerprints_names_nothing(toy, tmp_path):
    assert read_fingerprints(tmp_path / "none.json") == Fingerprints()
    calls = record(toy.hand_in(t.COLUMNS), t.REQUESTS["toy.normalise"])
    assert FingerprintDiagnosis(Fingerprints(), toy.manifest).name("toy.normalise", calls) is None


@pytest.mark.parametrize("text", ["", "{", '{"surprise": 1}', json.dumps({"calls": {"k": [{"ids": "x"}]}})])
def test_a_damaged_file_is_told_with_the_remedy(tmp_path, text):
    path = tmp_path / "fingerprints.json"
    path.write_text(text)
    with pytest.raises(CourseError, match="damaged") as caught:
        read_fingerprints(path)
    assert (caught.value.where, caught.value.hint) == (path, "get the kit again")


def test_one_that_raises_is_known_by_it_however_loosely_the_test_compares(tmp_path):
    toy = make_toy(tmp_path, t.MISCONCEPTIONS + TOO_LARGE)
    loose = [
        replace(each, tolerance=Tolerance(0.1, 0.1)) for each in record(toy.hand_in(GREEDY), t.REQUESTS["toy.blend"])
    ]
    kit = FingerprintDiagnosis(toy.fingerprints(), toy.manifest)
    assert ids(kit.name("toy.blend", loose)) == ["toy.blend/too-large"]


def test_what_a_mistake_draws_from_torch_s_own_generator_is_the_same_in_every_run(tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "toy.py"
    path.write_text("import torch\n\ndef double(x):\n    return 2 * x\n", encoding="utf-8")
    said = Explained("random", "why", "hint")
    mistake = Misconception("toy.double/random", "double", lambda ref, x: torch.rand(3), said, said)
    catalogue = Catalogue()
    catalogue.misconceptions.append(mistake)
    call = Call(Request("double", (torch.ones(3),)), Outcome(2 * torch.ones(3)))
    made = [
        make_fingerprints([Source(path)], catalogue, manifest(), {"toy.double": [Visible([call], EXACT)]})
        for _ in range(2)
    ]
    assert made[0] == made[1]


@pytest.mark.parametrize(("by", "same"), [(1e-9, True), (1e-2, False)])
def test_fingerprints_that_differ_in_last_digits_alone_are_alike(toy, by, same):
    one = toy.fingerprints()
    text = as_text(one)
    changed = json.loads(text)
    moved = False
    for groups in changed["calls"].values():
        for group in groups:
            if entries := group["gives"].get("entries"):
                entries[0] = entries[0] * (1 + by) + by
                moved = True
    assert moved
    other = Fingerprints.model_validate_json(json.dumps(changed))
    assert alike(one, other) is same
    assert alike(one, one)
    assert not alike(one, Fingerprints())
