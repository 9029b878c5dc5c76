"""Hands in a manifest, a lock, hidden tests, a reference and a key of its own, under the names that those of the course
have.
"""

from __future__ import annotations

from pathlib import Path

TEST = """from grader.testing import core, exercise

pytestmark = exercise("target.normalise")


@core
def test_anything(submission):
    pass
"""
FILES = {
    "assignment.toml": 'id = "target"\nfiles = ["target.py"]\n',
    "tests.lock": "hidden   core  target.normalise  hidden/test_target.py::test_anything\n",
    "hidden/test_target.py": TEST,
    "visible/test_target.py": TEST,
    "hidden/test_extra.py": TEST,
    "reference/target.py": "def normalise(a):\n    return a / a.sum(axis=0, keepdims=True)\n",
    "assignments/target/hidden/test_target.py": TEST,
    ".seed-key": "0" * 64,
    "expected.toml": "score = 100\n",
    "report.json": '{"status": "passed", "score": 100.0}\n',
}


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder
