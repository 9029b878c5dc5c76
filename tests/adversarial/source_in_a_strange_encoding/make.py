"""Declares an encoding in which a comment holds a line end, so that a reader sees a comment where Python sees a
program.
"""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    hidden = "# \\u000aprint('hidden in a comment')\n"
    (folder / "target.py").write_text("# -*- coding: raw_unicode_escape -*-\n" + base + hidden)
    return folder
