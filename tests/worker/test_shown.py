from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.worker.shown import Shown


@pytest.fixture
def places(tmp_path: Path) -> Iterator[dict[str, str]]:
    package = tmp_path / "shown_package"
    package.mkdir()
    (package / "__init__.py").write_text("value = 1")
    (package / "inner.py").write_text("value = 2")
    (tmp_path / "shown_module.py").write_text("value = 3")
    (tmp_path / "hidden_module.py").write_text("value = 4")
    yield {"shown_package": str(package), "shown_module": str(tmp_path / "shown_module.py")}
    for name in [name for name in sys.modules if name.startswith("shown_")]:
        del sys.modules[name]


def test_packages_and_modules_are_found_where_they_lie_and_no_others(
    places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Shown(places)])
    assert importlib.import_module("shown_package").value == 1
    assert importlib.import_module("shown_package.inner").value == 2
    assert importlib.import_module("shown_module").value == 3
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("hidden_module")
