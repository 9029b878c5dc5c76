"""Hands in files that pytest reads by itself where it finds them: plugins, settings, and tests that always pass."""

from __future__ import annotations

from pathlib import Path

PATCH = """import grader.testing
import pytest

open('{{home}}/marker', 'w').close()
print('BREACH a file beside the submission was run')
for name in dir(grader.testing):
    if name.startswith("assert_"):
        setattr(grader.testing, name, lambda *_, **__: None)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    (yield).get_result().outcome = "passed"
"""
SETTINGS = "addopts = -p conftest --exitfirst --collect-only"
FILES = {
    "conftest.py": PATCH,
    "pytest.ini": "[pytest]\n" + SETTINGS + "\n",
    ".pytest.ini": "[pytest]\n" + SETTINGS + "\n",
    "tox.ini": "[pytest]\n" + SETTINGS + "\n",
    "setup.cfg": "[tool:pytest]\n" + SETTINGS + "\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p conftest'\n",
    "test_target.py": PATCH,
    "hidden/conftest.py": PATCH,
}


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder
