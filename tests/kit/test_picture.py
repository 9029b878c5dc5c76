"""The picture of an exercise: from visible tests alone, and a word where there is none."""

from __future__ import annotations

import sys

import pytest

from grader.course.locate import load_assignments
from grader.kit.checked import Checked
from grader.kit.picture import heat_maps, look, nothing_to_see, picture_lines, with_picture, write
from grader.kit.picturing.blocks import BLOCKS
from grader.model.errors import UsageError
from grader.model.evidence import HeatMap, TestEvidence
from grader.model.verdict import Status, Suite
from grader.words.status import STATUS
from tests.conftest import ROOT

COLUMNS = HeatMap(what="the weights", got=[[0.2, 0.4], [0.8, 0.6]], right=[[0.5, 0.5], [0.25, 0.75]])


def checked(status: Status = Status.FAILED, *heats: HeatMap, message: str = "") -> Checked:
    test = TestEvidence(
        id="visible/test_a.py::test_a",
        suite="visible",
        tier="core",
        exercise="toy.weights",
        status=status,
        message=message,
        seed=0,
        heat_maps=list(heats),
    )
    return Checked("toy.weights", [test], [])


def test_what_visible_tests_saw_is_the_picture_and_nothing_of_a_hidden_test(solved):
    (solved / "attention.py").write_bytes((ROOT / "assignments/attention/sample_class/emre/attention.py").read_bytes())
    found = look(load_assignments(ROOT, ["attention"]), "attention.weights", solved, ROOT)
    assert {test.suite for test in found.tests} == {Suite.VISIBLE}
    assert [heat.what for heat in heat_maps(found)] == ["the weights", "the masked weights"]
    assert any("It is your columns that sum to 1." in line for line in picture_lines(found, "en", 80, BLOCKS))


def test_an_assignment_is_no_exercise(solved):
    with pytest.raises(UsageError, match="name one exercise") as caught:
        look(load_assignments(ROOT, ["attention"]), "attention", solved, ROOT)
    assert "attention.weights" in caught.value.hint


def test_the_exercises_with_a_picture_are_known_without_running_anything():
    assert with_picture(load_assignments(ROOT, ["context", "attention", "masking", "shapes", "interpret"])) == [
        "context.average_weights",
        "context.bigram_probs",
        "attention.softmax",
        "attention.scores",
        "attention.weights",
        "attention.two_tokens",
        "attention.steps",
        "masking.causal",
        "masking.window",
        "masking.softmax",
        "interpret.attention_maps",
        "interpret.rollout",
    ]


@pytest.mark.parametrize("status", [Status.NOT_IMPLEMENTED, Status.CRASHED, Status.TIMEOUT])
def test_where_nothing_was_seen_it_says_how_the_exercise_stands(status):
    told = "\n".join(nothing_to_see(checked(status, message="it went wrong"), "en"))
    assert STATUS[status].en in told
    assert "it went wrong" in told
    assert "there is no picture yet" in told


def test_svg_and_png_are_written(tmp_path):
    pytest.importorskip("matplotlib")
    written = write(checked(Status.FAILED, COLUMNS), "en", tmp_path / "new" / "folder")
    assert [path.name for path in written.files] == ["toy.weights.svg", "toy.weights.png"]
    assert written.files[0].read_text("utf-8").startswith("<svg ")
    assert written.files[1].read_bytes().startswith(b"\x89PNG")
    assert not written.note


def test_without_matplotlib_the_svg_is_written_and_the_remedy_told(tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for language in ("en", "zh-TW"):
        written = write(checked(Status.FAILED, COLUMNS), language, tmp_path)
        assert [path.name for path in written.files] == ["toy.weights.svg"]
        assert "pip install matplotlib" in written.note
    assert [path.name for path in tmp_path.iterdir()] == ["toy.weights.svg"]


def test_without_a_chinese_font_the_png_is_in_english_and_the_svg_is_not(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr("grader.kit.picturing.png.has_chinese", lambda: False)
    written = write(checked(Status.FAILED, COLUMNS), "zh-TW", tmp_path)
    assert "toy.weights.png 是英文的" in written.note
    assert "橫列" in written.files[0].read_text("utf-8")
    assert len(written.files) == 2
