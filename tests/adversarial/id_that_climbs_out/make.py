"""Has a name that, once it is decoded, leads out of the folder of reports and into another student's."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "x%2f..%2f..%2fclass%2fneighbour"
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
