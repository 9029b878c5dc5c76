"""Hands in target.py and Target.py, one wrong and one right, so that it depends on the system which is graded."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").write_text(base)
    (folder / "Target.py").write_text(base.replace("axis=0", "axis=-1"))
    return folder
