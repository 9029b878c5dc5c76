"""Hands in many trivial tests, a lock of its own and an assignment that asks for nothing, to thin out what it
fails.
"""

from __future__ import annotations

from pathlib import Path

TESTS = "from grader.testing import core, exercise\n\npytestmark = exercise('target.normalise')\n" + "".join(
    f"\n\n@core\ndef test_{number}():\n    pass\n" for number in range(300)
)


def make(folder: Path, base: str) -> Path:
    """Write the submission and a course of its own around it."""
    (folder / "target.py").write_text(base + "\n\ndef test_easy():\n    pass\n", encoding="utf-8")
    (folder / "test_target.py").write_text(TESTS, encoding="utf-8")
    for place in ("hidden", "visible", "assignments/target/hidden"):
        (folder / place).mkdir(parents=True)
        (folder / place / "test_more.py").write_text(TESTS, encoding="utf-8")
    (folder / "tests.lock").write_text("hidden core target.normalise hidden/test_more.py::test_0\n", encoding="utf-8")
    (folder / "assignment.toml").write_text('id = "target"\nexercises = []\n', encoding="utf-8")
    return folder
