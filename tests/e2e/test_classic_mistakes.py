"""Four mistakes that leave a falling loss behind, in one submission: each is caught, and told by its name."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import ROOT

MISTAKES = {
    "layers.py": [
        ("x.view(B, T, n_head, d // n_head).transpose(1, 2)", "x.view(B, n_head, T, d // n_head)"),
    ],
    "training.py": [
        (
            "    nll = _token_losses(logits, targets, ignore_index)",
            "    nll = _token_losses(logits.softmax(dim=-1), targets, ignore_index)",
        ),
        ("return window[:, :-1], window[:, 1:]", "return window[:, :-1], window[:, :-1]"),
        ("    model.eval()\n", ""),
    ],
}
NAMED = {
    "layers.split_heads": ["layers.split_heads/view"],
    "training.cross_entropy": ["training.cross_entropy/softmax-twice"],
    "training.get_batch": ["training.get_batch/not-shifted"],
    "training.evaluate": ["training.evaluate/training-mode"],
}


def test_each_is_caught_and_named(grade, tmp_path: Path) -> None:
    home = tmp_path / "class" / "ada"
    home.mkdir(parents=True)
    for file, changes in MISTAKES.items():
        text = (ROOT / "reference" / file).read_text("utf-8")
        for right, wrong in changes:
            assert text.count(right) == 1, right
            text = text.replace(right, wrong)
        (home / file).write_text(text, encoding="utf-8")
    ran = grade(tmp_path / "class", "-a", "layers", "-a", "training", "--out", tmp_path / "out", "-j", "1")
    assert ran.returncode == 0, ran.stderr
    report = json.loads((tmp_path / "out" / "ada" / "report.json").read_text("utf-8"))
    exercises = {each["id"]: each for part in report["assignments"] for each in part["exercises"]}
    named = {name: exercises[name]["diagnosis"] for name in NAMED}
    assert {name: found and found["misconceptions"] for name, found in named.items()} == NAMED
    assert all(exercises[name]["score"] < exercises[name]["points"] for name in NAMED)
