"""The name of the folder, which becomes the student's id, is a formula to a spreadsheet and code to a web page."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    """Write the submission into a folder of a strange name."""
    home = folder / "=HYPERLINK(1)<script>x"
    home.mkdir()
    (home / "target.py").write_text(base, encoding="utf-8")
    return home
