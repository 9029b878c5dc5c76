"""Hands in files from which pytest takes its configuration: one makes every report a passed one, others select a
single easy test, skip collection or turn off assertions.
"""

from __future__ import annotations

from pathlib import Path

CONFTEST = """
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"

def pytest_collection_modifyitems(items):
    del items[1:]
"""


def make(folder: Path, base: str) -> Path:
    """Write the submission and the configuration beside it."""
    (folder / "target.py").write_text(base, encoding="utf-8")
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "hidden").mkdir()
    (folder / "hidden" / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -k double --maxfail=0\n", encoding="utf-8")
    (folder / "tox.ini").write_text("[pytest]\naddopts = --co\n", encoding="utf-8")
    (folder / "setup.cfg").write_text("[tool:pytest]\naddopts = -p no:python\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '-k easy'\n", encoding="utf-8")
    return folder
