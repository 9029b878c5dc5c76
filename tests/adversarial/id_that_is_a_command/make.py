"""Has a name that a shell would run, a template would fill, and a format string would look up."""

from __future__ import annotations

from pathlib import Path


def make(folder: Path, base: str) -> Path:
    made = folder / "$(touch marker);`id`&{0.__class__}%s{{course}}|x"
    made.mkdir()
    (made / "target.py").write_text(base)
    return made
