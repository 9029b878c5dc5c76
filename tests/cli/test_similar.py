from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from grader.cli.similar import command
from grader.model.errors import UsageError
from tests.conftest import ROOT
from tests.similar.test_pairs import ELSE, OWN, TEMPLATE, renamed


@pytest.fixture
def class_of(tmp_path):
    for name, text in {"ada": OWN, "bo": renamed(OWN), "cy": ELSE}.items():
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "context.py").write_text(TEMPLATE + text, encoding="utf-8")
    return tmp_path / "class"


def run(*args):
    return CliRunner().invoke(command, [str(arg) for arg in args], catch_exceptions=False)


def test_pairs_are_told_and_shown(class_of, tmp_path):
    ran = run(class_of, "-a", "context", "--out", tmp_path / "similar.html", "--course", ROOT)
    same, pair = ran.stdout.splitlines()
    assert same == "context.py  the same: ada, bo"
    assert pair == "context.py  ada (100 %) and bo (100 %)"
    assert "a pointer, not a verdict" in ran.stderr
    assert '<a href="#pair-1">' in (tmp_path / "similar.html").read_text("utf-8")


def test_without_the_extra_it_is_told_what_to_install(class_of, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "grader.similar.run", raising=False)
    monkeypatch.delitem(sys.modules, "grader.similar.fingerprints", raising=False)
    monkeypatch.delitem(sys.modules, "grader.similar.pairs", raising=False)
    monkeypatch.setitem(sys.modules, "copydetect", None)
    with pytest.raises(UsageError, match="copydetect is not installed"):
        run(class_of, "-a", "context", "--out", tmp_path / "similar.html", "--course", ROOT)
