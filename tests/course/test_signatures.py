from __future__ import annotations

from grader.course.locate import load_assignments
from grader.course.signatures import parameters
from grader.kit.make import make_kit
from tests.conftest import ROOT


def test_parameters_are_those_of_the_template_and_the_same_in_a_kit(tmp_path):
    chosen = load_assignments(ROOT, ["attention"])
    make_kit(tmp_path / "kit", chosen)
    # What a student writes in their own file changes none.
    (tmp_path / "kit" / "student_template" / "attention.py").write_text("def softmax(z): ...", encoding="utf-8")
    [kit] = load_assignments(tmp_path / "kit", ["attention"])
    found = parameters(chosen[0])
    assert found["attention_weights"] == ("Q", "K", "mask")
    assert parameters(kit) == found


def test_of_methods_self_is_left_out_and_a_class_has_those_of_its_init():
    found = parameters(load_assignments(ROOT, ["layers"])[0])
    assert found["LayerNorm"] == ("d", "eps", "bias")
    assert "self" not in {name for names in found.values() for name in names}
