from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.bundle import own
from grader.bundle.own import Needs, own_needs
from grader.model.errors import UsageError


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The grader as it lies where it was installed: without its project."""
    monkeypatch.setattr(own, "PACKAGE", tmp_path / "grader")
    return tmp_path


def test_an_installation_tells_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    requires = ["numpy>=2.0", 'backports.zstd>=1.0; python_version < "3.14"', 'torch>=2.6; extra == "torch"']
    there = SimpleNamespace(metadata={"Requires-Python": ">=3.11"}, requires=requires)
    monkeypatch.setattr(own, "distribution", lambda _: there)
    assert own_needs() == Needs(">=3.11", tuple(requires[:2]))


def test_the_project_of_somebody_else_is_not_asked(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (elsewhere / "pyproject.toml").write_text('[project]\nname = "other"\nrequires-python = ">=3"\ndependencies = []\n')
    monkeypatch.setattr(
        own, "distribution", lambda _: SimpleNamespace(metadata={"Requires-Python": ">=3.11"}, requires=None)
    )
    assert own_needs() == Needs(">=3.11", ())


def test_where_nobody_knows_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(own, "distribution", missing)
    with pytest.raises(UsageError, match="not installed"):
        own_needs()
