"""Hands in a folder named target.py with a package inside."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    (folder / "target.py").mkdir()
    (folder / "target.py" / "__init__.py").write_text(base.replace("axis=0", "axis=-1"))
    return folder
