"""The reference is trained and sampled by the same program: `python -m reference.train` and `python -m reference.sample`."""

from __future__ import annotations

import runpy
import sys

import pytest

from tests.homework.conftest import REFERENCE, words


def started(name, monkeypatch, *given):
    """Run one of the reference's two programs as Python would, and return its exit code."""
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *map(str, given)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(REFERENCE / f"{name}.py"), run_name="__main__")
    return ended.value.code


def test_the_reference_trains(monkeypatch, corpus, finished, tmp_path):
    _, *options = words(corpus, tmp_path / "run", prompt="The cat")
    assert started("train", monkeypatch, *options) == 0
    for name in ("metrics.csv", "samples.json"):
        assert (tmp_path / "run" / name).read_bytes() == (finished.folder / name).read_bytes()


def test_the_reference_samples(monkeypatch, finished, capsys):
    assert started("sample", monkeypatch, finished.folder, "--prompt", "The cat", "--max-new-tokens", 3) == 0
    assert "\nThe cat" in capsys.readouterr().out


def test_a_message_names_the_command_that_was_typed(monkeypatch, finished, capsys):
    assert started("sample", monkeypatch, "--help") == 0
    assert "usage: python -m reference.sample [-h]" in capsys.readouterr().out
