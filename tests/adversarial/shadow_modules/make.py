"""Hands in modules of the names that the grader imports, each of which compares everything as equal."""

from __future__ import annotations

from pathlib import Path

FAKE = """
def __getattr__(name):
    return lambda *args, **kwargs: True
"""


def make(folder: Path, base: str) -> Path:
    """Write the submission and modules that shadow others."""
    (folder / "target.py").write_text(base, encoding="utf-8")
    for name in ("numpy", "json", "random", "struct", "socket", "pytest", "encodings", "grader", "reference"):
        (folder / f"{name}.py").write_text(FAKE, encoding="utf-8")
    (folder / "numpy").mkdir()
    (folder / "numpy" / "__init__.py").write_text(FAKE, encoding="utf-8")
    return folder
